#include "harness/testing_variants.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/testing_race_program.hpp"

namespace harness {

using namespace common;
namespace {

constexpr std::size_t most_emulated_bytes = 600'000;

double emulated_budget_ms() {
    const char* text = std::getenv("LABS_EMULATED_MS");
    return text != nullptr ? std::atof(text) : 1000;
}

bool is_too_large_to_emulate(const VariantCall& variant_call) {
    return Shape::of(variant_call.in).bytes() + variant_call.out.bytes() > most_emulated_bytes;
}

}  // namespace

std::string Tally::check_call(const VariantCall& variant_call) {
    try {
        std::string wrong = harness::check_call(variant_call);
        ++checked_;
        if (!wrong.empty()) fault_ = "wrong";
        return wrong;
    } catch (const Unsupported& refusal) {
        if (refused_++ == 0) reason_ = refusal.what();
        return "";
    } catch (const NotDoneYet&) {
        not_done_ = checked_ == 0;
        if (not_done_) return "";
        fault_ = "failed";
        return fmt::format("{} on {}x{}x{} ({}): not done yet, unlike other configurations",
                           variant_call.variant.name, variant_call.in.cols, variant_call.in.rows,
                           variant_call.in.channels(), variant_call.parameters);
    } catch (const std::exception& error) {
        ++checked_;
        const auto fault = emulated_fault(error.what());
        const bool is_wrong = fault || is_emulated(variant_call.variant);  // no broken GPU
        fault_ = is_wrong ? "wrong" : context_fault() ? "crash" : "failed";
        return fmt::format("{}{} on {}x{}x{} ({}): {}", is_wrong ? "WRONG " : "",
                           variant_call.variant.name, variant_call.in.cols, variant_call.in.rows,
                           variant_call.in.channels(), variant_call.parameters,
                           fault.value_or(error.what()));
    }
}

std::string Tally::line() const {
    std::string text = fmt::format("configurations: {} checked, {} refused", checked_, refused_);
    if (refused_ > 0) text += " (first: " + reason_ + ")";
    return text;
}

std::string Tally::refused_all() const {
    if (checked_ > 0 || refused_ == 0) return "";
    return fmt::format("refused all {} configurations: {}", refused_, reason_);
}

void VariantTestBase::skip_if_unavailable() const {
    if (const auto reason = why_unavailable(info_)) GTEST_SKIP() << "skipped: " << *reason;
}

/// For harness/events.hpp; `outcome` is empty if it is GoogleTest's.
void VariantTestBase::record(const std::string& outcome) const {
    const auto property = [](const std::string& name, const std::string& value) {
        testing::Test::RecordProperty(name, value);
    };
    property("checked", std::to_string(tally_.checked()));
    property("refused", std::to_string(tally_.refused()));
    property("first_reason", tally_.first_reason());
    property("left_out", std::to_string(left_out_));
    if (!outcome.empty()) property("outcome", outcome);
}

void VariantTestBase::report() const {
    const bool checked_or_refused = tally_.checked() + tally_.refused() > 0;
    if (testing::Test::IsSkipped() && !checked_or_refused) return;
    std::cout << tally_.line() << std::endl;
    if (left_out_ > 0) std::cout << "too much to be emulated: " << left_out_ << std::endl;
    const bool failed = testing::Test::HasFailure();
    record(failed ? tally_.fault() : tally_.not_done() ? "not done yet" : "");
    if (failed) return;
    if (tally_.not_done()) GTEST_SKIP() << "skipped: not done yet";
    if (!checked_or_refused && left_out_ > 0) {
        GTEST_SKIP() << "cannot run here: too much to be emulated";
    }
    if (!checked_or_refused) FAIL() << "the test checked nothing";
    const std::string refused = tally_.refused_all();
    if (!refused.empty()) GTEST_SKIP() << "skipped: " << refused;
}

bool VariantTestBase::has_emulation_time() {
    // Half of the time is for the first ten calls. The rest is spread over those that follow, as
    // their number is not known: without this, the last ones would never be checked.
    const double calls = ++emulated_calls_;
    return always_ || calls == 1 || emulated_ms_ < emulated_budget_ms() * calls / (calls + 10);
}

void VariantTestBase::expect_right(const VariantCall& variant_call) {
    if (tally_.not_done()) return;
    const bool emulated = is_emulated(info_);
    if (emulated && (is_too_large_to_emulate(variant_call) || !has_emulation_time())) {
        ++left_out_;
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::string wrong = tally_.check_call(variant_call);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    emulated_ms_ += spent.count();
    if (!wrong.empty()) FAIL() << wrong;
}

void VariantTestBase::expect_no_races(const std::filesystem::path& folder) {
    if (info_.backend != Backend::omp) GTEST_SKIP() << "skipped: not an OpenMP variant";
    const char* other = std::getenv("LABS_RACES");
    const std::filesystem::path program =
        (other != nullptr ? std::filesystem::path(other) : folder) / info_.name;
    const RaceCheck check = run_race_program(program, info_.name);
    using Result = RaceCheck::Result;
    if (check.result == Result::not_checked) GTEST_SKIP() << "not checked: " << check.text;
    if (check.result == Result::not_done) return tally_.note_not_done();
    tally_.count_checked();
    if (check.result == Result::no_race) return;
    tally_.note_fault(check.result == Result::race ? "wrong" : "failed");
    FAIL() << check.text;
}

void VariantTestBase::expect_right_at_random(const RandomCases& cases) {
    const bool emulated = is_emulated(info_);
    RandomSettings settings = RandomSettings::from_environment();
    if (emulated && std::getenv("LABS_RANDOM_MS") == nullptr) {
        settings.ms = static_cast<std::int64_t>(emulated_budget_ms());
    }
    const auto check_call = [&](const VariantCall& variant_call) -> std::string {
        if (!emulated || !is_too_large_to_emulate(variant_call)) {
            const std::string wrong = tally_.check_call(variant_call);
            if (tally_.not_done()) throw NotDoneYet();  // ends the search
            return wrong;
        }
        ++left_out_;
        return "";
    };
    std::string wrong;
    try {
        wrong = run_random(cases, settings, reproduce_running_test(), check_call, std::cout);
    } catch (const NotDoneYet&) {
        return;
    }
    if (!wrong.empty()) FAIL() << wrong;
}

}  // namespace harness
