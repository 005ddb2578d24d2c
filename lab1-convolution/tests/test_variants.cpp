// Every variant of the table against the definition. A new variant needs no line here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/scenes.hpp"
#include "exercise.hpp"
#include "masks.hpp"

namespace {

using convolution::Mask;
using convolution::Options;
using convolution::Variant;

const Variant& variant_called(const std::string& name) {
    for (const Variant& variant : convolution::variants()) {
        if (variant.name == name) return variant;
    }
    throw std::out_of_range(name);
}

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Variant& variant : convolution::variants()) result.push_back(variant.name);
    return result;
}

class ConvolutionTest : public testing::TestWithParam<std::string> {
  protected:
    const Variant& variant_ = variant_called(GetParam());

    void SetUp() override {
        if (const auto reason = common::why_unavailable(variant_)) {
            GTEST_SKIP() << "skipped: " << *reason;
        }
    }

    /// Leaves out what the variant says it does not take.
    void expect_right(const cv::Mat& image, const Mask& mask, const std::string& name,
                      common::RunOptions run = {.threads = 2, .block = {}}) const {
        std::string parameters = fmt::format("mask={};threads={}", name, run.threads);
        if (run.block) parameters += ";block=" + to_string(*run.block);
        const common::Job job = variant_.bind(Options{run, mask});
        try {
            const std::string wrong =
                common::judge(exercise_for(variant_, job, image, mask, parameters));
            if (!wrong.empty()) FAIL() << wrong;
        } catch (const common::Unsupported&) {
        }
    }
};

// Random bytes show mistakes best: every pixel differs from its neighbours and the channels from
// each other.
cv::Mat noise(int width, int height, int channels) {
    return common::make_scene("random", width, height, channels,
                              static_cast<std::uint64_t>(width * 1000 + height));
}

TEST_P(ConvolutionTest, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(size.width, size.height, channels);
            ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(3), "asymmetric3"));
            if (size.area() > 1'000'000) continue;
            ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(5), "asymmetric5"));
        }
    }
}

TEST_P(ConvolutionTest, filters) {
    for (const std::string_view name : convolution::filter_names()) {
        const Mask mask = convolution::find_filter(name);
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(101, 99, 3), mask, std::string(name)));
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(64, 48, 1), mask, std::string(name)));
    }
}

TEST_P(ConvolutionTest, mask_sizes) {
    for (int size = 1; size <= Mask::max_size; size += 2) {
        const auto seed = static_cast<std::uint64_t>(size);
        const std::string name = fmt::format("asymmetric{}", size);
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(67, 45, 3), asymmetric_mask(size), name));
        ASSERT_NO_FATAL_FAILURE(
            expect_right(noise(45, 67, 3), random_mask(size, seed), fmt::format("random{}", size)));
        ASSERT_NO_FATAL_FAILURE(
            expect_right(noise(99, 31, 1), irregular_mask(size), fmt::format("irregular{}", size)));
        // Smaller than the mask: the window leaves the image on both sides at once.
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(5, 4, 3), asymmetric_mask(size), name));
    }
}

// Tall enough that whoever shares out the rows has many for each.
TEST_P(ConvolutionTest, tall) {
    const cv::Mat image = noise(37, 24001, 3);
    ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(3), "asymmetric3"));
    ASSERT_NO_FATAL_FAILURE(expect_right(image, irregular_mask(5), "irregular5"));
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(97, 24001, 1), asymmetric_mask(5), "asymmetric5"));
}

TEST_P(ConvolutionTest, scenes) {
    for (const std::string_view scene : common::scene_names()) {
        const cv::Mat image = common::make_scene(scene, 160, 90, 3);
        for (const char* filter : {"sharpen", "edge8", "box5", "unsharp5"}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(image, convolution::find_filter(filter),
                                                 fmt::format("{};scene={}", filter, scene)));
        }
    }
}

TEST_P(ConvolutionTest, thread_counts) {
    for (const int threads : {1, 2, 3, 5, 7}) {
        for (const cv::Size size : {cv::Size(61, 3), cv::Size(83, 59)}) {
            const cv::Mat image = noise(size.width, size.height, 3);
            ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(3), "asymmetric3",
                                                 {.threads = threads, .block = {}}));
        }
    }
}

TEST_P(ConvolutionTest, block_sizes) {
    for (const common::Block block : common::test_blocks()) {
        const cv::Mat image = noise(71, 53, 3);
        ASSERT_NO_FATAL_FAILURE(
            expect_right(image, asymmetric_mask(5), "asymmetric5", {.threads = 2, .block = block}));
    }
}

INSTANTIATE_TEST_SUITE_P(variants, ConvolutionTest, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
