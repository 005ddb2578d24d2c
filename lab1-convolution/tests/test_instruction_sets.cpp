// omp_best has a version for each of several instruction sets, and takes the best that the machine
// has. Here, each version that can run gives what the definition says.

#include <gtest/gtest.h>

#include "common/instruction_sets.hpp"
#include "common/scenes.hpp"
#include "exercise.hpp"
#include "masks.hpp"

namespace {

class InstructionSets : public testing::TestWithParam<common::InstructionSet> {
  protected:
    const convolution::Variant& variant_ = common::row_called(convolution::variants(), "omp_best");

    void SetUp() override {
        if (const auto reason = common::why_unavailable(variant_)) {
            GTEST_SKIP() << "skipped: " << *reason;
        }
        if (!common::machine_has(GetParam())) {
            GTEST_SKIP() << "skipped: this CPU does not have " << to_string(GetParam());
        }
    }

    void expect_right(const cv::Mat& image, const convolution::Mask& mask,
                      const std::string& name) const {
        const common::RunOptions run{.threads = 2, .block = {}, .instruction_set = GetParam()};
        const common::Job job = variant_.bind(convolution::Options{run, mask});
        const std::string wrong = common::judge(exercise_for(variant_, job, image, mask, name));
        if (!wrong.empty()) FAIL() << wrong;
    }

    static cv::Mat noise(int width, int height, int channels) {
        return common::make_scene("random", width, height, channels);
    }
};

TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(size.width, size.height, channels);
            ASSERT_NO_FATAL_FAILURE(
                expect_right(image, convolution::find_filter("unsharp5"), "unsharp5"));
            if (size.area() > 1'000'000) continue;
            ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(5), "asymmetric5"));
            ASSERT_NO_FATAL_FAILURE(expect_right(image, random_mask(5, 1), "random5"));
        }
    }
}

TEST_P(InstructionSets, masks) {
    for (const std::string_view name : convolution::filter_names()) {
        ASSERT_NO_FATAL_FAILURE(
            expect_right(noise(131, 99, 3), convolution::find_filter(name), std::string(name)));
    }
    for (int size = 1; size <= convolution::Mask::max_size; size += 2) {
        const std::string name = "random" + std::to_string(size);
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(131, 45, 3), random_mask(size, 2), name));
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
