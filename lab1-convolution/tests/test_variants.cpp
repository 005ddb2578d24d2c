// Every registered variant against the oracle. A new variant needs no line here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"
#include "harness/variants.hpp"
#include "masks.hpp"
#include "variant_call.hpp"

namespace {

using convolution::Mask;
using convolution::Options;
using convolution::Variant;

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Variant& variant : convolution::variants()) result.push_back(variant.name);
    return result;
}

class ConvolutionTest : public harness::VariantTest {
  protected:
    const Variant& variant_ = harness::variant_named(convolution::variants(), GetParam());
    ConvolutionTest() : VariantTest(harness::variant_named(convolution::variants(), GetParam())) {}

    void expect_right(const cv::Mat& image, const Mask& mask, const std::string& name,
                      common::RunOptions run = {.threads = 2, .block = {}}) {
        std::string parameters = fmt::format("mask={};threads={}", name, run.threads);
        if (variant_.backend == common::Backend::mpi) {
            parameters += fmt::format(";ranks={}", run.ranks);
        }
        if (run.block) parameters += ";block=" + to_string(*run.block);
        VariantTest::expect_right(
            variant_call_for(variant_, Options{run, mask}, image, parameters));
    }

    /// The least work with which a thread of `cuda_sliding` has two rows: 2^18 words. The last row
    /// is one more than all blocks have.
    void expect_right_in_shape(const cv::Size& size) {
        const cv::Mat image = harness::make_scene("random", size.width, size.height, 1, 1);
        const Options options{{.threads = 2, .block = {}}, asymmetric_mask(1)};
        harness::VariantCall call =
            variant_call_for(variant_, options, image, "mask=asymmetric1;threads=2");
        call.is_least = true;
        VariantTest::expect_right(call);
    }

    /// With masks of every structure that a variant may exploit.
    void expect_right_with_masks_of(int size, const cv::Mat& image) {
        const std::string number = std::to_string(size);
        const auto seed = static_cast<std::uint64_t>(size);
        const std::pair<const char*, Mask> masks[]{{"gaussian", convolution::gaussian_mask(size)},
                                                   {"symmetric", symmetric_mask(size)},
                                                   {"asymmetric", asymmetric_mask(size)},
                                                   {"random", random_mask(size, seed)},
                                                   {"irregular", irregular_mask(size)}};
        for (const auto& [name, mask] : masks) {
            ASSERT_NO_FATAL_FAILURE(expect_right(image, mask, name + number));
        }
    }
};

// Random bytes: every pixel differs from its neighbours, and the channels differ from each other.
cv::Mat noise(int width, int height, int channels) {
    return harness::make_scene("random", width, height, channels,
                               static_cast<std::uint64_t>(width * 1000 + height));
}

/// The first test, because a race explains other failures. A variant that races can be right in
/// every call of the others.
TEST_P(ConvolutionTest, races) {
    expect_no_races(LAB_RACES);
}

TEST_P(ConvolutionTest, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
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

/// Masks whose weights are all zero, negative, too large for 16-bit sums, or differ by orders of
/// magnitude.
TEST_P(ConvolutionTest, unusual_weights) {
    for (const int size : {1, 3, 5, 7, 15}) {
        const int centre = size * size / 2;
        Mask zeros{size, {}};
        zeros.weights[0] = 0;
        Mask large = zeros;
        large.weights[centre] = 300;
        Mask different = zeros;
        different.weights[0] = 1e-6f;
        different.weights[centre] = 1;
        Mask negative = zeros;
        negative.weights[centre] = -0.5f;
        for (const auto& [name, mask] :
             {std::pair("zeros", zeros), std::pair("large", large),
              std::pair("different", different), std::pair("negative", negative)}) {
            const std::string text = fmt::format("{}{}", name, size);
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(131, 67, 3), mask, text));
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(131, 67, 1), mask, text));
        }
    }
}

/// Row lengths just below and above a block of cuda_registers, a tile and a vector. Only rows this
/// long reach the interior code, which handles blocks and tiles that touch no edge.
TEST_P(ConvolutionTest, long_rows) {
    for (int size = 1; size <= Mask::max_size; size += 2) {
        ASSERT_NO_FATAL_FAILURE(expect_right_with_masks_of(size, noise(1920, 37, 1)));
        ASSERT_NO_FATAL_FAILURE(expect_right_with_masks_of(size, noise(643, 41, 3)));
    }
}

TEST_P(ConvolutionTest, row_lengths) {
    for (int size = 1; size <= Mask::max_size; size += 2) {
        const std::string name = fmt::format("irregular{}", size);
        for (const int bytes : {96, 264, 280, 512, 524, 767, 768, 769, 1032, 1536, 2047, 2049}) {
            for (const int channels : {1, 3}) {
                const cv::Mat image = noise(std::max(bytes / channels, 1), 18, channels);
                ASSERT_NO_FATAL_FAILURE(expect_right(image, irregular_mask(size), name));
            }
        }
    }
}

/// Pitches near a multiple of 1 KB, whose rows share the sets of the L1 cache.
TEST_P(ConvolutionTest, pitches_near_4_kb) {
    if (variant_.on_device) GTEST_SKIP() << "`row_lengths` has what a kernel needs";
    const Mask mask = convolution::find_filter("gauss3");
    for (const int width : {1024, 1365, 1366, 2048, 2049}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(width, 70, 3), mask, "gauss3"));
    }
}

TEST_P(ConvolutionTest, large_masks) {
    for (const int size : {11, 13, 15}) {
        for (const int channels : {1, 3}) {
            const std::string name = fmt::format("random{}", size);
            const Mask mask = random_mask(size, 3);
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(480, 270, channels), mask, name));
            if (!variant_.on_device) continue;  // seconds on a CPU, and nothing new
            ASSERT_NO_FATAL_FAILURE(expect_right_with_masks_of(size, noise(1920, 1080, channels)));
        }
    }
}

/// A large image: each thread computes many rows, and the ring buffers of pipeline stages wrap
/// around.
TEST_P(ConvolutionTest, many_pixels) {
    if (!variant_.on_device) GTEST_SKIP() << "skipped: `sizes` and `tall` have what a CPU needs";
    for (const int size : {3, 5, 7, 11, 15}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(3841, 2161, 3), irregular_mask(size),
                                             fmt::format("irregular{}", size)));
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(4097, 2049, 1), asymmetric_mask(size),
                                             fmt::format("asymmetric{}", size)));
    }
}

TEST_P(ConvolutionTest, random) {
    expect_right_at_random(random_cases(variant_));
}

// Many rows for each thread.
TEST_P(ConvolutionTest, tall) {
    const cv::Mat image = noise(37, 24001, 3);
    ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(3), "asymmetric3"));
    ASSERT_NO_FATAL_FAILURE(expect_right(image, irregular_mask(5), "irregular5"));
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(97, 24001, 1), asymmetric_mask(5), "asymmetric5"));
    if (variant_.backend != common::Backend::cuda) return;
    ASSERT_NO_FATAL_FAILURE(expect_right_in_shape({64, 16385}));
    ASSERT_NO_FATAL_FAILURE(expect_right_in_shape({16133, 65}));
}

TEST_P(ConvolutionTest, scenes) {
    for (const std::string_view scene : harness::scene_names()) {
        const cv::Mat image = harness::make_scene(scene, 80, 45, 3);
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
    for (const common::Block block : harness::test_blocks()) {
        const cv::Mat image = noise(71, 53, 3);
        ASSERT_NO_FATAL_FAILURE(
            expect_right(image, asymmetric_mask(5), "asymmetric5", {.threads = 2, .block = block}));
        if (variant_.backend != common::Backend::cuda) continue;
        for (int size = 1; size <= Mask::max_size; size += 2) {
            const std::string name = fmt::format("irregular{}", size);
            const common::RunOptions run{.threads = 2, .block = block};
            ASSERT_NO_FATAL_FAILURE(
                expect_right(noise(131, 61, 1), irregular_mask(size), name, run));
            ASSERT_NO_FATAL_FAILURE(
                expect_right(noise(67, 61, 3), irregular_mask(size), name, run));
        }
    }
}

class RanksTest : public ConvolutionTest {};

/// The masks have up to 15 rows, and the ranks fewer.
TEST_P(RanksTest, rank_counts) {
    harness::for_rank_counts([&](cv::Size size, int ranks) {
        for (const int mask : {1, 3, 15}) {
            const std::string name = fmt::format("asymmetric{}", mask);
            const common::RunOptions run{.threads = 2, .ranks = ranks, .block = {}};
            expect_right(noise(size.width, size.height, 3), asymmetric_mask(mask), name, run);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(variants, ConvolutionTest, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RanksTest);
INSTANTIATE_TEST_SUITE_P(variants, RanksTest,
                         testing::ValuesIn(harness::names_in_ranks(convolution::variants())),
                         [](const auto& test) { return test.param; });

}  // namespace
