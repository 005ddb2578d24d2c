#include "harness/testing_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>
#include <utility>

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/testing_race_program.hpp"
#include "testing_blocks.hpp"
#include "testing_choice.hpp"

namespace harness {

using namespace common;
namespace {

// Of emulated kernels: at most so much in one call, and in pairs of values in a test.
constexpr std::size_t most_emulated_bytes = 600'000;
/// A shorter list is as fixed as the long one.
bool is_list_short() {
    const char* text = std::getenv("LABS_EMULATED_LIST");
    return text != nullptr && std::string_view(text) == "short";
}
double most_work() {
    return is_list_short() ? 3e5 : 1.2e6;
}
double work_of_pairs() {
    return is_list_short() ? 0 : 1e6;
}

// A random test of an emulated kernel chooses from this many cases.
constexpr std::int64_t emulated_cases = 120;
constexpr std::size_t most_values = 16;
constexpr std::int64_t most_large_emulated = 2;
constexpr double most_work_of_large_emulated = 2e7;

bool is_large(const VariantCall& variant_call) {
    return Shape::of(variant_call.in).bytes() + variant_call.out.bytes() > most_emulated_bytes;
}

bool is_too_large_to_emulate(const VariantCall& variant_call) {
    if (variant_call.is_least) return false;
    return is_large(variant_call) || work_of(variant_call) > most_work();
}

std::string refused_wrongly(const VariantCall& call, const std::string& said) {
    return fmt::format("WRONG {} on {}x{}x{} ({}): refused {}, which the task asks for: {}",
                       call.variant.name, call.in.cols, call.in.rows, call.in.channels(),
                       call.parameters, call.block ? to_string(*call.block) : "this call", said);
}

/// "make_table.cuh", if the first line that a fault of a kernel names is not in the variant's file.
std::string other_file(const VariantCall& call, const std::string& fault) {
    const auto suffix = fault.find(".cu");
    const auto in = fault.rfind(" in ", suffix);
    if (suffix == std::string::npos || in == std::string::npos) return "";
    const std::string file = fault.substr(in + 4, fault.find(':', suffix) - in - 4);
    const bool is_file = file.find(' ') == std::string::npos;
    return is_file && file.find(call.variant.name) == std::string::npos ? file : "";
}

/// The message for a fault in a given file, whose cause lies elsewhere: that of wrong values on a
/// probe, if there is one.
std::string before_fault(const VariantCall& call, const std::string& file) {
    for (VariantCall& probe : call.probes ? call.probes() : std::vector<VariantCall>{}) {
        probe.probes = call.probes;
        try {
            const std::string wrong = harness::check_call(probe);
            if (wrong.find("looks like: ") != std::string::npos) return wrong;
            if (!wrong.empty()) break;
        } catch (const std::exception&) {  // the same fault
        }
    }
    return fmt::format("; {} is not the file of {}, which has left something there undone", file,
                       call.variant.name);
}

}  // namespace

std::string Tally::check_call(const VariantCall& variant_call) {
    try {
        std::string wrong = harness::check_call(variant_call);
        ++checked_;
        if (!wrong.empty()) fault_ = "wrong";
        return wrong;
    } catch (const Unsupported& refusal) {
        if (!variant_call.may_refuse) {
            ++checked_;
            fault_ = "wrong";
            return refused_wrongly(variant_call, refusal.what());
        }
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
        const std::string text = fmt::format("{}{} on {}x{}x{} ({}): {}", is_wrong ? "WRONG " : "",
                                             variant_call.variant.name, variant_call.in.cols,
                                             variant_call.in.rows, variant_call.in.channels(),
                                             variant_call.parameters, fault.value_or(error.what()));
        const std::string file = fault ? other_file(variant_call, *fault) : "";
        if (file.empty()) return text;
        const std::string before = before_fault(variant_call, file);
        return before.starts_with("WRONG ") ? before + "\n    found first: " + text : text + before;
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

void VariantTestBase::report() {
    check_offered();
    const bool checked_or_refused = tally_.checked() + tally_.refused() > 0;
    if (testing::Test::IsSkipped() && !checked_or_refused) return;
    std::cout << tally_.line() << std::endl;
    if (left_out_ > 0) std::cout << "left out, as it is emulated: " << left_out_ << std::endl;
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

void VariantTestBase::expect_right(const VariantCall& variant_call) {
    if (tally_.not_done()) return;
    if (!is_emulated(info_)) return check(variant_call);
    if (!is_too_large_to_emulate(variant_call)) {
        offered_.push_back(variant_call);
        return;
    }
    ++left_out_;
    const bool is_cheapest = !cheapest_ || work_of(variant_call) < work_of(*cheapest_);
    if (is_cheapest && !is_large(variant_call)) cheapest_ = variant_call;
}

void VariantTestBase::check(const VariantCall& variant_call) {
    if (tally_.not_done()) return;
    std::string wrong = tally_.check_call(variant_call);
    if (wrong.empty()) return;
    add_where_it_fails(wrong, offered_, variant_call);
    FAIL() << wrong;
}

void VariantTestBase::check_offered() {
    if (offered_.empty() && cheapest_) {
        offered_.push_back(*cheapest_);
        --left_out_;
    }
    Choice choice(offered_, work_of_pairs());
    left_out_ += std::ssize(offered_);
    while (const auto number = choice.next()) {
        const std::int64_t refused = tally_.refused();
        --left_out_;
        check(offered_[*number]);
        if (testing::Test::HasFailure() || tally_.not_done()) return;
        tally_.refused() > refused ? choice.drop(*number) : choice.take(*number);
    }
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

/// The random cases that an emulated kernel is checked with: the first `wanted` ones that are not
/// too large, or, if `wanted` is 0, those of the choice (testing_choice.hpp).
std::vector<std::int64_t> VariantTestBase::chosen_cases(const RandomCases& cases,
                                                        std::uint64_t seed, std::int64_t wanted) {
    std::vector<VariantCall> calls;
    std::vector<std::int64_t> numbers;
    std::int64_t number = 0;
    const auto is_enough = [&] {
        const std::int64_t most = std::max(emulated_cases, 100 * wanted);
        return number == (wanted > 0 ? most : emulated_cases) ||
               (wanted > 0 && std::ssize(numbers) == wanted);
    };
    for (; !is_enough(); ++number) {
        VariantCall variant_call = cases.variant_call(make_case(cases.parameters, seed, number));
        if (is_too_large_to_emulate(variant_call)) continue;
        if (wanted == 0) calls.push_back(std::move(variant_call));
        numbers.push_back(number);
    }
    std::vector<std::int64_t> chosen = numbers;
    if (wanted == 0) {
        chosen.clear();
        for (const std::size_t i : choose(calls, work_of_pairs(), most_values)) {
            chosen.push_back(numbers[i]);
        }
    }
    left_out_ = number - std::ssize(chosen);
    return chosen;
}

void VariantTestBase::expect_right_at_random(const RandomCases& cases) {
    RandomSettings settings = RandomSettings::from_environment();
    const bool is_list = settings.ms == 0 && settings.only.empty();
    if (is_list && is_emulated(info_)) {
        settings.numbers = chosen_cases(cases, settings.seed, settings.cases);
        settings.cases = 0;
        settings.large = std::min(settings.large, most_large_emulated);
        settings.most_work_of_large = most_work_of_large_emulated;
    }
    const auto check_call = [&](const VariantCall& variant_call) -> std::string {
        if (is_emulated(info_) && settings.large == 0 && is_too_large_to_emulate(variant_call)) {
            ++left_out_;
            return "";
        }
        const std::string wrong = tally_.check_call(variant_call);
        if (tally_.not_done()) throw NotDoneYet();  // ends the search
        return wrong;
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
