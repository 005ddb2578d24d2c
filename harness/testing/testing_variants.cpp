#include "harness/testing_variants.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "common/error.hpp"

namespace common {
namespace {

constexpr std::size_t most_emulated_bytes = 600'000;

double emulated_budget_ms() {
    const char* text = std::getenv("LABS_EMULATED_MS");
    return text != nullptr ? std::atof(text) : 2000;
}

}  // namespace

std::string Tally::check_call(const VariantCall& variant_call) {
    try {
        std::string wrong = common::check_call(variant_call);
        ++checked_;
        return wrong;
    } catch (const Unsupported& refusal) {
        if (refused_++ == 0) reason_ = refusal.what();
        return "";
    } catch (const std::exception& error) {
        ++checked_;
        return fmt::format("{} on {}x{}x{} ({}): {}", variant_call.variant.name,
                           variant_call.in.cols, variant_call.in.rows, variant_call.in.channels(),
                           variant_call.parameters, error.what());
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

void VariantTestBase::report() const {
    const bool checked_or_refused = tally_.checked() + tally_.refused() > 0;
    if (testing::Test::IsSkipped() && !checked_or_refused) return;
    std::cout << tally_.line() << std::endl;
    if (left_out_ > 0) std::cout << "too much to be emulated: " << left_out_ << std::endl;
    if (testing::Test::HasFailure()) return;
    if (!checked_or_refused && left_out_ > 0) {
        GTEST_SKIP() << "skipped: too much to be emulated";
    }
    if (!checked_or_refused) FAIL() << "the test checked nothing";
    const std::string refused = tally_.refused_all();
    if (!refused.empty()) GTEST_SKIP() << "skipped: " << refused;
}

std::string VariantTestBase::check_call(const VariantCall& variant_call) {
    if (!is_emulated(info_)) return tally_.check_call(variant_call);
    const bool large =
        Shape::of(variant_call.in).bytes() + variant_call.out.bytes() > most_emulated_bytes;
    if (large || emulated_ms_ > emulated_budget_ms()) {
        ++left_out_;
        return "";
    }
    const auto start = std::chrono::steady_clock::now();
    std::string wrong = tally_.check_call(variant_call);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    emulated_ms_ += spent.count();
    return wrong;
}

void VariantTestBase::expect_right(const VariantCall& variant_call) {
    const std::string wrong = check_call(variant_call);
    if (!wrong.empty()) FAIL() << wrong;
}

void VariantTestBase::expect_right_at_random(const RandomCases& cases) {
    const std::string wrong = run_random(
        cases, RandomSettings::from_environment(), reproduce_running_test(),
        [this](const VariantCall& variant_call) { return check_call(variant_call); }, std::cout);
    if (!wrong.empty()) FAIL() << wrong;
}

}  // namespace common
