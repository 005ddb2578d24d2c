// Every variant of the table against the definition. A new variant needs no line here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/scenes.hpp"
#include "exercise.hpp"

namespace {

using integral::Cost;
using integral::Options;
using integral::Variant;

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Variant& variant : integral::variants()) result.push_back(variant.name);
    return result;
}

Options with_threads(int threads, int inner_threads = 1) {
    Options options;
    options.threads = threads;
    options.inner_threads = inner_threads;
    return options;
}

class IntegralTest : public testing::TestWithParam<std::string> {
  protected:
    const Variant& variant_ = integral::variant_called(GetParam());

    void SetUp() override {
        if (const auto reason = common::why_unavailable(variant_)) {
            GTEST_SKIP() << "skipped: " << *reason;
        }
    }

    /// Leaves out what the variant says it does not take.
    void expect_right(const cv::Mat& image, const Options& options = with_threads(2)) const {
        std::string parameters =
            fmt::format("threads={};threads_inner={}", options.threads, options.inner_threads);
        if (options.block) parameters += ";block=" + to_string(*options.block);
        const bool tiled =
            variant_.backend == common::Backend::cuda && variant_.cost == Cost::quadratic;
        const auto tile =
            tiled ? std::optional(options.block.value_or(common::Block{16, 16})) : std::nullopt;
        const common::Job job = variant_.bind(options);
        try {
            const std::string wrong =
                common::judge(exercise_for(variant_, job, image, parameters, tile));
            if (!wrong.empty()) FAIL() << wrong;
        } catch (const common::Unsupported&) {
        }
    }
};

TEST_P(IntegralTest, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        if (size.area() > 1'000'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(size.width, size.height)));
        // Opening and closing a parallel region for each of 65,535 pixels: once is enough.
        if (variant_.cost == Cost::quadratic && size.area() > 10'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(size.width, size.height)));
    }
}

TEST_P(IntegralTest, over_four_megapixels) {
    const bool on_cpu = !variant_.on_device || common::is_emulated(variant_);
    if (variant_.cost == Cost::quadratic && on_cpu) {
        GTEST_SKIP() << "skipped: 4 million million additions take many minutes on a CPU";
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(bytes(2311, 1801)));
    if (variant_.cost == Cost::quadratic) return;  // a second on a large GPU: once is enough
    ASSERT_NO_FATAL_FAILURE(expect_right(wide(2311, 1801)));
}

/// One more and one less than the size of what variants cut images into, or of images that they
/// treat as small.
TEST_P(IntegralTest, around_powers_of_two) {
    if (variant_.cost == Cost::quadratic) {
        GTEST_SKIP() << "skipped: so many additions take minutes";
    }
    for (const int width : {127, 128, 129, 255, 256, 257, 513}) {
        for (const int height : {127, 128, 129, 255, 256, 257}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(bytes(width, height)));
            ASSERT_NO_FATAL_FAILURE(expect_right(wide(width, height)));
        }
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(wide(256, 1)));
    ASSERT_NO_FATAL_FAILURE(expect_right(wide(1, 256)));
}

/// Sums beyond 2^31 and beyond 2^32, and the last that fit.
TEST_P(IntegralTest, beyond_32_bits) {
    const auto constant = [](int width, int height, int pixel) {
        return cv::Mat(height, width, CV_32SC1, cv::Scalar(pixel));
    };
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(3, 1, 715'827'882)));  // 2^31 - 2
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(3, 1, 715'827'883)));  // 2^31 + 1
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(1, 1, 2'147'483'647)));
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(1, 1, -2'147'483'647 - 1)));
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(67, 45, 2'147'483'647)));
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(67, 45, -2'147'483'647 - 1)));
    if (variant_.cost == Cost::quadratic) return;
    ASSERT_NO_FATAL_FAILURE(expect_right(constant(4200, 4200, 255)));
}

TEST_P(IntegralTest, scenes) {
    for (const std::string_view scene : common::scene_names()) {
        cv::Mat image = common::make_scene(scene, 80, 45, 3);
        cv::cvtColor(image, image, cv::COLOR_BGR2GRAY);
        image.convertTo(image, CV_32S);
        ASSERT_NO_FATAL_FAILURE(expect_right(image)) << scene;
    }
}

TEST_P(IntegralTest, thread_counts) {
    for (const int threads : {1, 2, 3, 5, 7}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(61, 3), with_threads(threads)));
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(83, 59), with_threads(threads)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(83, 59), with_threads(threads)));
        for (const int inner : {2, 3}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(bytes(13, 11), with_threads(threads, inner)));
        }
        if (variant_.cost == Cost::quadratic) continue;
        // Large enough for a variant that starts more threads only where they have enough to do.
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(1531, 701), with_threads(threads)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(1531, 701), with_threads(threads)));
    }
}

TEST_P(IntegralTest, block_sizes) {
    const bool slow = variant_.cost == Cost::quadratic && common::is_emulated(variant_);
    const cv::Size size = slow ? cv::Size(37, 29) : cv::Size(71, 53);
    for (const common::Block block : common::test_blocks()) {
        Options options = with_threads(2);
        options.block = block;
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(size.width, size.height), options));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(size.width, size.height), options));
    }
}

TEST_P(IntegralTest, grid_larger_than_the_image) {
    Options options = with_threads(2);
    options.block = common::Block{8, 4};
    options.grid = {11, 17};  // 9 x 14 blocks would do
    ASSERT_NO_FATAL_FAILURE(expect_right(bytes(71, 53), options));
}

INSTANTIATE_TEST_SUITE_P(variants, IntegralTest, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
