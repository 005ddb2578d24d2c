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
    const upscale::Variant& variant_ = upscale::variant_called("omp_best");

    void SetUp() override {
        if (const auto reason = common::why_unavailable(variant_)) {
            GTEST_SKIP() << "skipped: " << *reason;
        }
        if (!common::machine_has(GetParam())) {
            GTEST_SKIP() << "skipped: this CPU does not have " << to_string(GetParam());
        }
    }

    void expect_right(const cv::Mat& image, const gold::Filter& filter) const {
        common::RunOptions run{.threads = 2, .block = {}, .instruction_set = GetParam()};
        const std::string wrong = common::judge(
            exercise_for(variant_, variant_.bind(options_for(filter, run)), image, filter, ""));
        if (!wrong.empty()) FAIL() << wrong;
    }

    static cv::Mat noise(int width, int height, int channels) {
        return common::make_scene("random", width, height, channels);
    }
};

TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        if (size.area() > 1'000'000) continue;
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(size.width, size.height, channels);
            ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 2, .sigma = 0.6}));
        }
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(1531, 101, 3), {.radius = 2, .sigma = 0.36}));
}

/// The taps are unrolled, so there is code for each radius.
TEST_P(InstructionSets, radii) {
    for (int radius = 1; radius <= upscale::Weights::max_radius; ++radius) {
        for (const double sigma : {0.3, 3.0}) {
            const gold::Filter filter{.radius = radius, .sigma = sigma};
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(137, 29, 3), filter));
        }
    }
    for (const gold::Filter& filter : {gold::bicubic, gold::lanczos}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(137, 29, 3), filter));
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
