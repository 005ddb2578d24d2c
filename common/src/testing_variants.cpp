#include "common/testing_variants.hpp"

#include <fmt/format.h>

#include <exception>
#include <iostream>

#include "common/error.hpp"

namespace common {

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

void VariantJudge::skip_if_unavailable() const {
    if (const auto reason = why_unavailable(info_)) GTEST_SKIP() << "skipped: " << *reason;
}

void VariantJudge::report() const {
    const bool judged_or_refused = tally_.judged() + tally_.refused() > 0;
    if (testing::Test::IsSkipped() && !judged_or_refused) return;
    std::cout << tally_.line() << std::endl;
    if (testing::Test::HasFailure()) return;
    if (!judged_or_refused) FAIL() << "the test judged nothing";
    const std::string refused = tally_.refused_all();
    if (!refused.empty()) GTEST_SKIP() << "skipped: " << refused;
}

void VariantJudge::expect_right(const Exercise& exercise) {
    const std::string wrong = tally_.judge(exercise);
    if (!wrong.empty()) FAIL() << wrong;
}

void VariantJudge::expect_right_at_random(const RandomCases& cases) {
    const std::string wrong = run_random(
        cases, RandomSettings::from_environment(), reproduce_running_test(),
        [this](const Exercise& exercise) { return tally_.judge(exercise); }, std::cout);
    if (!wrong.empty()) FAIL() << wrong;
}

}  // namespace common
