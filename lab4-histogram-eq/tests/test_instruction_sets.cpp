// omp_best has a version for each of several instruction sets, and takes the best that the machine
// has. Here, each version that can run gives what the definition says.

#include <gtest/gtest.h>

#include "common/instruction_sets.hpp"
#include "common/scenes.hpp"
#include "exercise.hpp"
#include "variants.hpp"

namespace {

class InstructionSets : public testing::TestWithParam<common::InstructionSet> {
  protected:
    const equalize::Variant& variant_ = equalize::variant_called("omp_best");

    void SetUp() override {
        if (const auto reason = common::why_unavailable(variant_)) {
            GTEST_SKIP() << "skipped: " << *reason;
        }
        if (!common::machine_has(GetParam())) {
            GTEST_SKIP() << "skipped: this CPU does not have " << to_string(GetParam());
        }
    }

    void expect_right(const cv::Mat& image) const {
        const equalize::Options options{.threads = 2, .block = {}, .instruction_set = GetParam()};
        const std::string wrong =
            common::judge(exercise_for(variant_, variant_.bind(options), image, ""));
        if (!wrong.empty()) FAIL() << wrong;
    }
};

TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height)));
    }
}

/// Levels at the borders of the parts into which a table is divided.
TEST_P(InstructionSets, levels) {
    for (const int first : {0, 15, 127, 128, 255}) {
        for (const int step : {1, 16, 127}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise_of(301, 47, first, step)));
        }
    }
}

// The name of the variant ends the tests' names, as those of all its tests.
constexpr auto name = [](const auto&) { return "omp_best"; };
using common::InstructionSet;
INSTANTIATE_TEST_SUITE_P(baseline, InstructionSets, testing::Values(InstructionSet::baseline),
                         name);
INSTANTIATE_TEST_SUITE_P(avx2, InstructionSets, testing::Values(InstructionSet::avx2), name);
INSTANTIATE_TEST_SUITE_P(avx512, InstructionSets, testing::Values(InstructionSet::avx512), name);
INSTANTIATE_TEST_SUITE_P(avx512_vbmi, InstructionSets, testing::Values(InstructionSet::avx512_vbmi),
                         name);

}  // namespace
