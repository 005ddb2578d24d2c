// Every registered variant against the oracle. A new variant needs no line here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <opencv2/imgproc.hpp>

#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "random_cases.hpp"
#include "variant_call.hpp"

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

class IntegralTest : public harness::VariantTest {
  protected:
    const Variant& variant_ = harness::variant_named(integral::variants(), GetParam());
    IntegralTest() : VariantTest(harness::variant_named(integral::variants(), GetParam())) {}

    /// Small images are enough where a thread adds up thousands of pixels and is emulated.
    bool is_slow() const {
        return variant_.cost == Cost::quadratic && harness::is_emulated(variant_);
    }

    void expect_right(const cv::Mat& image, const Options& options = with_threads(2)) {
        std::string parameters =
            fmt::format("threads={};threads_inner={}", options.threads, options.inner_threads);
        if (variant_.backend == common::Backend::mpi) {
            parameters += fmt::format(";ranks={}", options.ranks);
        }
        if (options.block) parameters += ";block=" + to_string(*options.block);
        VariantTest::expect_right(variant_call_for(variant_, options, image, parameters));
    }
};

/// The first test, because a race explains other failures. A variant that races can be right in
/// every call of the others.
TEST_P(IntegralTest, races) {
    expect_no_races(LAB_RACES);
}

TEST_P(IntegralTest, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        if (size.area() > 1'000'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(size.width, size.height)));
        // A quadratic variant may open a parallel region for each pixel, so large images are
        // checked with one kind of pixels only.
        if (variant_.cost == Cost::quadratic && size.area() > 10'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(size.width, size.height)));
    }
}

TEST_P(IntegralTest, over_four_megapixels) {
    const bool on_cpu = !variant_.on_device || harness::is_emulated(variant_);
    if (variant_.cost == Cost::quadratic && on_cpu) {
        GTEST_SKIP() << "skipped: 4 million million additions take many minutes on a CPU";
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(bytes(2311, 1801)));
    if (variant_.cost == Cost::quadratic) return;  // a second on a large GPU: once is enough
    ASSERT_NO_FATAL_FAILURE(expect_right(wide(2311, 1801)));
}

/// Widths and heights around the tile sizes, and around the size up to which variants treat an
/// image as small.
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
    for (const auto& [width, height] : {std::pair{512, 288}, {513, 288}, {512, 289}, {511, 287}}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(width, height)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(width, height)));
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(wide(256, 1)));
    ASSERT_NO_FATAL_FAILURE(expect_right(wide(1, 256)));
}

/// Widths and heights on both sides of the thresholds of the variants.
TEST_P(IntegralTest, thresholds) {
    if (variant_.cost == Cost::quadratic) GTEST_SKIP() << "skipped: has no thresholds";
    const auto both = [this](int width, int height) {
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(width, height)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(width, height)));
    };
    for (const int width : {385, 449, 512}) {  // the last strip of columns of a small image
        ASSERT_NO_FATAL_FAILURE(both(width, 3));
    }
    for (const int width : {31, 32, 33, 39, 40, 41, 63, 64, 65, 4095, 4096, 4097, 8193}) {
        for (const int height : {1, 4, 5, 15, 16, 17, 32, 33}) {
            ASSERT_NO_FATAL_FAILURE(both(width, height));
        }
    }
    for (const cv::Size size :
         {cv::Size(257, 1), cv::Size(1, 257), cv::Size(5000, 300), cv::Size(300, 5000),
          cv::Size(511, 512), cv::Size(512, 512), cv::Size(512, 513), cv::Size(1448, 1448),
          cv::Size(1448, 1449), cv::Size(1024, 1024), cv::Size(1025, 1025)}) {
        ASSERT_NO_FATAL_FAILURE(both(size.width, size.height));
    }
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
    for (const std::string_view scene : harness::scene_names()) {
        cv::Mat image = is_slow() ? harness::make_scene(scene, 40, 23, 3)
                                  : harness::make_scene(scene, 80, 45, 3);
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
        // Large enough that variants use all threads.
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(1531, 701), with_threads(threads)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(1531, 701), with_threads(threads)));
        // Few rows: there may be more threads than bands of rows.
        ASSERT_NO_FATAL_FAILURE(expect_right(bytes(2003, 41), with_threads(threads)));
        ASSERT_NO_FATAL_FAILURE(expect_right(wide(2003, 59), with_threads(threads)));
    }
}

TEST_P(IntegralTest, block_sizes) {
    const bool emulated = harness::is_emulated(variant_);
    const cv::Size largest = is_slow() ? cv::Size(37, 29) : cv::Size(71, 53);
    for (const common::Block block : harness::test_blocks()) {
        // Emulated: four blocks along each axis are enough to find mistakes between blocks, and
        // save seconds.
        const cv::Size size = !emulated ? largest
                                        : cv::Size(std::min(largest.width, 3 * block.width + 1),
                                                   std::min(largest.height, 3 * block.height + 1));
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
    ASSERT_NO_FATAL_FAILURE(expect_right(is_slow() ? bytes(37, 29) : bytes(71, 53), options));
}

TEST_P(IntegralTest, random) {
    expect_right_at_random(random_cases(variant_));
}

class RanksTest : public IntegralTest {};

TEST_P(RanksTest, rank_counts) {
    harness::for_rank_counts([&](cv::Size size, int ranks) {
        Options options = with_threads(2);
        options.ranks = ranks;
        expect_right(bytes(size.width, size.height), options);
        expect_right(wide(size.width, size.height), options);
    });
}

INSTANTIATE_TEST_SUITE_P(variants, IntegralTest, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RanksTest);
INSTANTIATE_TEST_SUITE_P(variants, RanksTest,
                         testing::ValuesIn(harness::names_in_ranks(integral::variants())),
                         [](const auto& test) { return test.param; });

}  // namespace
