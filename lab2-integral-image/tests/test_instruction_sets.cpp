// omp_best has a version for each of several instruction sets, and takes the best that the machine
// has. Here, each version that can run gives what the definition says.

#include <gtest/gtest.h>

#include "common/instruction_sets.hpp"
#include "common/scenes.hpp"
#include "exercise.hpp"

namespace {

class InstructionSets : public testing::TestWithParam<common::InstructionSet> {
  protected:
    const integral::Variant& variant_ = integral::variant_called("omp_best");

    void SetUp() override {
        if (const auto reason = common::why_unavailable(variant_)) {
            GTEST_SKIP() << "skipped: " << *reason;
        }
        if (!common::machine_has(GetParam())) {
            GTEST_SKIP() << "skipped: this CPU does not have " << to_string(GetParam());
        }
    }

    void expect_right(const cv::Mat& image) const {
        integral::Options options;
        options.threads = 2;
        options.instruction_set = GetParam();
        const std::string wrong =
            common::judge(exercise_for(variant_, variant_.bind(options), image, ""));
        if (!wrong.empty()) FAIL() << wrong;
    }
};

/// Sums that stay in the caches, and such as are so large that they go past them: at aligned
/// addresses and at others.
TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(size.width, size.height)));
        if (size.area() > 1'000'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(size.width, size.height)));
    }
    for (const int width : {2048, 2053}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(width, 1031)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(width, 1031)));
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
