// omp_best and omp_learned have versions for several instruction sets. All of them are right.

#include "harness/scenes.hpp"
#include "harness/testing_versions.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/variant.hpp"
#include "variant_call.hpp"

namespace {

class InstructionSets : public harness::VersionTest<upscale::Variant> {
  protected:
    InstructionSets() : VersionTest(harness::variant_named(upscale::variants(), "omp_best")) {}

    void expect_right(const cv::Mat& image, const upscale::Filter& filter) {
        const harness::Job job = upscale::job_for(variant_, filter.options(GetParam()));
        VersionTest::expect_right(variant_call_for(variant_, job, image, filter, ""));
    }

    static cv::Mat noise(int width, int height, int channels) {
        return harness::make_scene("random", width, height, channels);
    }
};

TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        if (size.area() > 1'000'000) continue;
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(size.width, size.height, channels);
            ASSERT_NO_FATAL_FAILURE(expect_right(image, {.radius = 2, .sigma = 0.6}));
        }
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(1531, 101, 3), {.radius = 2, .sigma = 0.36}));
}

/// Sums are integers where all weights are quarters.
TEST_P(InstructionSets, weights_in_quarters) {
    for (const cv::Size& size : harness::test_sizes()) {
        if (size.area() > 1'000'000) continue;
        for (const int channels : {1, 3}) {
            ASSERT_NO_FATAL_FAILURE(
                expect_right(noise(size.width, size.height, channels), bilinear));
        }
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(1531, 101, 3), bilinear));
    const cv::Mat white(65, 513, CV_8UC3, cv::Scalar::all(255));
    ASSERT_NO_FATAL_FAILURE(expect_right(white, bilinear));
}

/// The taps are unrolled, so there is code for each radius.
TEST_P(InstructionSets, radii) {
    for (int radius = 1; radius <= upscale::Weights::max_radius; ++radius) {
        for (const double sigma : {0.3, 3.0}) {
            const upscale::Filter filter{.radius = radius, .sigma = sigma};
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(137, 29, 3), filter));
        }
    }
    for (const upscale::Filter& filter : {bicubic, lanczos}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(137, 29, 3), filter));
    }
}

TEST_INSTRUCTION_SETS(InstructionSets, omp_best);

class LearnedInstructionSets : public harness::VersionTest<upscale::Variant> {
  protected:
    LearnedInstructionSets()
        : VersionTest(harness::variant_named(upscale::variants(), "omp_learned")) {}
};

TEST_P(LearnedInstructionSets, sizes) {
    const upscale::Filter filter{.method = upscale::Method::learned};
    for (const cv::Size& size : {cv::Size(1, 1), cv::Size(120, 40), cv::Size(121, 41),
                                 cv::Size(247, 9), cv::Size(8, 83)}) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = harness::make_scene("random", size.width, size.height, channels);
            const harness::Job job = upscale::job_for(variant_, filter.options(GetParam()));
            ASSERT_NO_FATAL_FAILURE(
                expect_right(variant_call_for(variant_, job, image, filter, "")));
        }
    }
}

TEST_INSTRUCTION_SETS(LearnedInstructionSets, omp_learned);

}  // namespace
