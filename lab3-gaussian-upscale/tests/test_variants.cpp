// Every variant against the oracle. A new variant needs no line here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/variant.hpp"
#include "variant_call.hpp"

namespace {

using harness::Case;
using harness::Random;
using upscale::Filter;
using upscale::Method;
using upscale::Variant;

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Variant& variant : upscale::variants()) {
        if (!variant.learned) result.push_back(variant.name);  // test_learned.cpp
    }
    return result;
}

class UpscaleTest : public harness::VariantTest {
  protected:
    const Variant& variant_ = harness::variant_named(upscale::variants(), GetParam());
    UpscaleTest() : VariantTest(harness::variant_named(upscale::variants(), GetParam())) {}

    void expect_right(const cv::Mat& image, const Filter& filter,
                      common::RunOptions run = {.threads = 2, .block = {}}) {
        std::string parameters = filter.parameters();
        parameters += fmt::format(";threads={}", run.threads);
        if (variant_.backend == common::Backend::mpi) {
            parameters += fmt::format(";ranks={}", run.ranks);
        }
        if (run.block) parameters += ";block=" + to_string(*run.block);
        const bool kernel = variant_.backend == common::Backend::cuda;
        const auto block =
            kernel ? std::optional(run.block.value_or(common::Block{16, 16})) : std::nullopt;
        const harness::Job job = upscale::job_for(variant_, filter.options(run));
        VariantTest::expect_right(
            variant_call_for(variant_, job, image, filter, parameters, block));
    }
};

// In random bytes, every pixel differs from its neighbours and the channels from each other.
cv::Mat noise(int width, int height, int channels) {
    return harness::make_scene("random", width, height, channels,
                               static_cast<std::uint64_t>(width * 1000 + height));
}

/// The first test, because a race explains other failures. A variant that races can be right in
/// every call of the others.
TEST_P(UpscaleTest, races) {
    expect_no_races(LAB_RACES);
}

TEST_P(UpscaleTest, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(size.width, size.height, channels);
            ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 1, .sigma = 0.5}));
            if (size.area() > 1'000'000) continue;
            ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 2, .sigma = 0.6}));
            ASSERT_NO_FATAL_FAILURE(expect_right(image, bicubic));
            ASSERT_NO_FATAL_FAILURE(expect_right(image, lagrange));
        }
    }
}

/// Variants may divide an image of many rows differently from one of few.
TEST_P(UpscaleTest, tall) {
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(5, 30001, 1), {.radius = 2, .sigma = 0.36}));
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(3, 40000, 3), bilinear));
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(2, 65535, 1), bicubic));
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(2, 65537, 1), bicubic));
}

/// Variants may have a kernel for small images: 3 MB are not small.
TEST_P(UpscaleTest, not_small) {
    if (variant_.backend != common::Backend::cuda) {
        GTEST_SKIP() << "skipped: `sizes` has a larger image, and seconds count on a CPU";
    }
    for (const Filter& filter :
         {Filter{.radius = 1, .sigma = 0.5}, Filter{.radius = 2, .sigma = 0.36}, bicubic}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(1027, 1031, 3), filter));
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(4099, 787, 1), filter));
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(257, 4201, 3), bilinear));
}

// begin solution
/// Widths just below and above the tile widths of variants. Only the teacher runs this test.
TEST_P(UpscaleTest, thresholds) {
    for (const int width : {23, 24, 25, 255, 256, 257, 511, 512, 513, 767, 768, 769}) {
        for (const int height : {2, 33}) {
            for (const int channels : {1, 3}) {
                const cv::Mat image = noise(width, height, channels);
                ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 2, .sigma = 0.36}));
                ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 5, .sigma = 1.5}));
                ASSERT_NO_FATAL_FAILURE(expect_right(image, bicubic));
                ASSERT_NO_FATAL_FAILURE(expect_right(image, bilinear));
            }
        }
    }
}
// end solution

/// So many rows that a thread with a sliding window goes down the longest segment.
TEST_P(UpscaleTest, many_pixels) {
    if (!variant_.on_device) GTEST_SKIP() << "skipped: `sizes` has what a CPU needs";
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(3841, 2701, 3), bilinear));
}

/// There are as many sigmas as radii. Where each value is checked only once, a large radius meets a
/// large sigma, so that its outer taps have weights that matter.
TEST_P(UpscaleTest, radii_and_sigmas) {
    for (int radius = 1; radius <= upscale::Weights::max_radius; ++radius) {
        for (const double sigma : {0.3, 0.5, 0.8, 1.0, 1.7, 3.0, 4.0}) {
            const Filter filter{.radius = radius, .sigma = sigma};
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(37, 29, 3), filter));
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(31, 33, 1), filter));
            // Smaller than the window: it leaves the image on both sides at once.
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(4, 3, 3), filter));
        }
    }
}

TEST_P(UpscaleTest, scenes) {
    for (const std::string_view scene : harness::scene_names()) {
        const cv::Mat image = harness::make_scene(scene, 80, 45, 3);
        ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 2, .sigma = 0.6})) << scene;
        ASSERT_NO_FATAL_FAILURE(expect_right(image, bicubic)) << scene;
    }
}

TEST_P(UpscaleTest, interpolations) {
    for (const Filter& filter : {bicubic, lagrange, bilinear, lanczos}) {
        for (const int channels : {1, 3}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(61, 43, channels), filter));
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(5, 3, channels), filter));
        }
    }
}

/// Some weights are negative, so sharp edges lead beyond 0..255.
TEST_P(UpscaleTest, overshoot_is_clamped) {
    cv::Mat image(31, 33, CV_8UC3, cv::Scalar(0, 255, 0));
    image(cv::Rect(9, 7, 11, 13)).setTo(cv::Scalar(255, 0, 255));
    ASSERT_NO_FATAL_FAILURE(expect_right(image, bicubic));
    ASSERT_NO_FATAL_FAILURE(expect_right(image, lagrange));
    ASSERT_NO_FATAL_FAILURE(expect_right(image, lanczos));
}

TEST_P(UpscaleTest, thread_counts) {
    for (const int threads : {1, 2, 3, 5, 7}) {
        for (const cv::Size size : {cv::Size(61, 1), cv::Size(43, 29), cv::Size(270, 151)}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height, 3),
                                                 {.radius = 2, .sigma = 0.6},
                                                 {.threads = threads, .block = {}}));
        }
    }
}

TEST_P(UpscaleTest, block_sizes) {
    const cv::Size size = harness::is_emulated(variant_) ? cv::Size(23, 17) : cv::Size(47, 35);
    for (const common::Block block : harness::test_blocks()) {
        for (const int radius : {2, 7}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height, 3),
                                                 {.radius = radius, .sigma = 1.1},
                                                 {.threads = 2, .block = block}));
        }
    }
}

constexpr std::int64_t gauss = 0;  // Method::gauss

/// Image and filter. Three images of four are in colour: some variants take nothing else.
std::vector<harness::Parameter> input_parameters() {
    return harness::joined(
        {harness::size_parameters(100'000, 6'000),
         {harness::one_of("channels", {1, 3, 3, 3})},
         harness::content_parameters(),
         {{"method",
           gauss,
           [](Random& random, const Case&) { return random.in(70) ? gauss : random.between(1, 4); },
           {"gauss", "bicubic", "lagrange", "bilinear", "lanczos"}},
          {"radius", 1, [](Random& random, const Case&) { return random.between(1, 7); }},
          {"sigma_percent", 50, [](Random& random, const Case&) {
               return random.in(30) ? random.one_of({12, 36, 60, 300}) : random.between(12, 400);
           }}}});
}

TEST_P(UpscaleTest, random) {
    const auto parameters =
        harness::joined({input_parameters(), harness::launch_parameters(variant_)});
    expect_right_at_random(
        {parameters, [&](const Case& chosen) {
             Filter filter{.method = static_cast<Method>(chosen["method"])};
             if (filter.method == Method::gauss) {
                 filter.radius = chosen.number("radius");
                 filter.sigma = chosen.number("sigma_percent") / 100.0;
             }
             const common::RunOptions run = harness::run_options(chosen);
             const harness::Job job = upscale::job_for(variant_, filter.options(run));
             const cv::Mat image = harness::bytes_of(chosen, chosen.number("channels"));
             return variant_call_for(variant_, job, image, filter,
                                     harness::to_text(parameters, chosen), run.block);
         }});
}

class RanksTest : public UpscaleTest {};

TEST_P(RanksTest, rank_counts) {
    harness::for_rank_counts([&](cv::Size size, int ranks) {
        for (const Filter& filter :
             {Filter{.radius = 1, .sigma = 0.5}, Filter{.radius = 7, .sigma = 2}, bicubic}) {
            expect_right(noise(size.width, size.height, 3), filter,
                         {.threads = 2, .ranks = ranks, .block = {}});
        }
    });
}

INSTANTIATE_TEST_SUITE_P(variants, UpscaleTest, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RanksTest);
INSTANTIATE_TEST_SUITE_P(variants, RanksTest,
                         testing::ValuesIn(harness::names_in_ranks(upscale::variants())),
                         [](const auto& test) { return test.param; });

}  // namespace
