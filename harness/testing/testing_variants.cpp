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

std::string Tally::judge(const Exercise& exercise) {
    try {
        std::string wrong = common::judge(exercise);
        ++judged_;
        return wrong;
    } catch (const Unsupported& refusal) {
        if (refused_++ == 0) reason_ = refusal.what();
        return "";
    } catch (const std::exception& error) {
        ++judged_;
        return fmt::format("{} on {}x{}x{} ({}): {}", exercise.variant.name, exercise.in.cols,
                           exercise.in.rows, exercise.in.channels(), exercise.parameters,
                           error.what());
    }
}

std::string Tally::line() const {
    std::string text = fmt::format("configurations: {} judged, {} refused", judged_, refused_);
    if (refused_ > 0) text += " (first: " + reason_ + ")";
    return text;
}

std::string Tally::refused_all() const {
    if (judged_ > 0 || refused_ == 0) return "";
    return fmt::format("refused all {} configurations: {}", refused_, reason_);
}

void VariantTestBase::skip_if_unavailable() const {
    if (const auto reason = why_unavailable(info_)) GTEST_SKIP() << "skipped: " << *reason;
}

void VariantTestBase::report() const {
    const bool judged_or_refused = tally_.judged() + tally_.refused() > 0;
    if (testing::Test::IsSkipped() && !judged_or_refused) return;
    std::cout << tally_.line() << std::endl;
    if (left_out_ > 0) std::cout << "too much to be emulated: " << left_out_ << std::endl;
    if (testing::Test::HasFailure()) return;
    if (!judged_or_refused && left_out_ > 0) {
        GTEST_SKIP() << "skipped: too much to be emulated";
    }
    if (!judged_or_refused) FAIL() << "the test judged nothing";
    const std::string refused = tally_.refused_all();
    if (!refused.empty()) GTEST_SKIP() << "skipped: " << refused;
}

std::string VariantTestBase::judge(const Exercise& exercise) {
    if (!is_emulated(info_)) return tally_.judge(exercise);
    const bool large = Shape::of(exercise.in).bytes() + exercise.out.bytes() > most_emulated_bytes;
    if (large || emulated_ms_ > emulated_budget_ms()) {
        ++left_out_;
        return "";
    }
    const auto start = std::chrono::steady_clock::now();
    std::string wrong = tally_.judge(exercise);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    emulated_ms_ += spent.count();
    return wrong;
}

void VariantTestBase::expect_right(const Exercise& exercise) {
    const std::string wrong = judge(exercise);
    if (!wrong.empty()) FAIL() << wrong;
}

void VariantTestBase::expect_right_at_random(const RandomCases& cases) {
    const std::string wrong = run_random(
        cases, RandomSettings::from_environment(), reproduce_running_test(),
        [this](const Exercise& exercise) { return judge(exercise); }, std::cout);
    if (!wrong.empty()) FAIL() << wrong;
}

}  // namespace common
