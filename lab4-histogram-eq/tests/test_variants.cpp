// Every variant against the oracle. A new variant needs no line here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"
#include "harness/variants.hpp"
#include "problem/input.hpp"
#include "problem/variant.hpp"

namespace {

using equalize::Options;
using equalize::Variant;

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Variant& variant : equalize::variants()) result.push_back(variant.name);
    return result;
}

class EqualizeTest : public harness::VariantTest {
  protected:
    const Variant& variant_ = harness::variant_named(equalize::variants(), GetParam());
    EqualizeTest() : VariantTest(harness::variant_named(equalize::variants(), GetParam())) {}

    /// With the block that a kernel chooses, and with a given one: small images may take another
    /// kernel unless a block is given.
    void expect_right(const cv::Mat& image) {
        ASSERT_NO_FATAL_FAILURE(expect_right(image, {.threads = 2, .block = {}}));
        if (variant_.backend != common::Backend::cuda) return;
        ASSERT_NO_FATAL_FAILURE(expect_right(image, {.threads = 2, .block = common::Block{32, 8}}));
    }

    /// Equalizes the luma of a colour picture.
    void expect_right(const cv::Mat& image, const Options& options) {
        std::string parameters = fmt::format("threads={}", options.threads);
        if (variant_.backend == common::Backend::mpi) {
            parameters += fmt::format(";ranks={}", options.ranks);
        }
        if (options.block) parameters += ";block=" + to_string(*options.block);
        harness::Job job = harness::bind(variant_, options);
        if (image.channels() == 3) job.adapter = equalize::luma_only();
        VariantTest::expect_right(
            variant_call_for(variant_, job, image, parameters, options.block));
    }
};

/// The first test, because a race explains other failures. A variant that races can be right in
/// every call of the others.
TEST_P(EqualizeTest, races) {
    expect_no_races(LAB_RACES);
}

TEST_P(EqualizeTest, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height)));
    }
}

/// Images with one vector of 16 pixels more and one less than a block or a cluster holds.
TEST_P(EqualizeTest, around_powers_of_two) {
    for (const int width : {255, 256, 257, 512, 513}) {
        for (const int height : {255, 256, 257}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(width, height)));
        }
    }
    for (const int height : {4095, 4096, 4097, 8191, 8192, 8193}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(16, height)));
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(1, height)));
    }
}

/// Sizes just below and above those from which variants use more threads, more chunks or
/// non-temporal stores.
TEST_P(EqualizeTest, thresholds) {
    for (const int width : {31, 32, 33, 63, 64, 65, 127, 128, 129}) {
        for (const int height : {1, 63, 64, 65, 256, 257}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(width, height)));
        }
    }
    for (const cv::Size size :
         {cv::Size(1024, 256), cv::Size(1024, 257), cv::Size(1024, 512), cv::Size(1024, 513),
          cv::Size(1024, 1023), cv::Size(1024, 1024), cv::Size(1448, 1448), cv::Size(1449, 1448)}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height)));
    }
}

/// Large images of one level, but for some columns of a second level: the last column, at each
/// position within a word of eight pixels; one of the first eight columns; or every eighth one. A
/// variant that skips these columns takes the image for constant.
TEST_P(EqualizeTest, every_column_counts) {
    if (variant_.on_device)
        GTEST_SKIP() << "skipped: `a_single_pixel_counts` has what a kernel needs";
    for (int place = 0; place < 8; ++place) {
        cv::Mat image(1024, 1025 + place, CV_8UC1, cv::Scalar(50));
        image.col(image.cols - 1) = 200;
        ASSERT_NO_FATAL_FAILURE(expect_right(image));
        image = 50;
        image.col(place) = 200;
        ASSERT_NO_FATAL_FAILURE(expect_right(image));
        for (int x = place; x < 1024; x += 8) image.col(x) = 200;
        ASSERT_NO_FATAL_FAILURE(expect_right(image));
    }
}

/// More pixels than the shared memory of a large GPU holds.
TEST_P(EqualizeTest, many_pixels) {
    if (!variant_.on_device) GTEST_SKIP() << "skipped: `large_counts` has what a CPU needs";
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(7681, 4320)));
}

/// From one level to all of them, with and without level 0, near both ends.
TEST_P(EqualizeTest, levels) {
    for (const int first : {0, 1, 100, 254, 255}) {
        for (const int step : {1, 2, 50, 255}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise_of(61, 47, first, step)));
        }
    }
}

TEST_P(EqualizeTest, constant_images_stay) {
    for (const int level : {0, 1, 127, 255}) {
        for (const cv::Size size : {cv::Size(1, 1), cv::Size(61, 47), cv::Size(640, 480)}) {
            ASSERT_NO_FATAL_FAILURE(expect_right({size, CV_8UC1, cv::Scalar(level)}));
        }
    }
}

/// One level in 96 % of the pixels: more than 8-bit counters of 32 lanes hold, or 16-bit counters
/// of a block, or of 4 tables in 128 rows.
TEST_P(EqualizeTest, frequent_level) {
    std::vector<cv::Size> sizes{{1100, 8}, {9000, 8}};
    if (!variant_.on_device) sizes.emplace_back(2200, 1025);
    for (const cv::Size& size : sizes) {
        cv::Mat image = noise(size.width, size.height);
        image.setTo(100, image > 10);
        ASSERT_NO_FATAL_FAILURE(expect_right(image));
    }
}

/// One pixel differs: in the first and in the last place, brighter and darker.
TEST_P(EqualizeTest, a_single_pixel_counts) {
    for (const cv::Size size : {cv::Size(2, 1), cv::Size(61, 47), cv::Size(1000, 3)}) {
        for (const int level : {3, 250}) {
            cv::Mat image(size, CV_8UC1, cv::Scalar(100));
            image.at<uchar>(size.height - 1, size.width - 1) = static_cast<uchar>(level);
            ASSERT_NO_FATAL_FAILURE(expect_right(image));
            cv::flip(image, image, -1);
            ASSERT_NO_FATAL_FAILURE(expect_right(image));
        }
    }
}

TEST_P(EqualizeTest, half_way_cases) {
    for (const int k : {1, 2, 3, 5, 7, 8, 11, 100, 1001}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(ties(k)));
    }
    for (int brighter = 2; brighter < 400; brighter += 2) {  // 127.5; the product can be less
        equalize::oracle::Counts counts{};
        counts[7] = 1;
        counts[8] = brighter / 2;
        counts[9] = brighter / 2;
        ASSERT_NO_FATAL_FAILURE(expect_right(with_counts(counts, brighter + 1)));
    }
}

/// count * 255 needs more than 32 bits, and a float cannot hold every count.
TEST_P(EqualizeTest, large_counts) {
    ASSERT_NO_FATAL_FAILURE(expect_right(noise(4099, 4111)));
}

TEST_P(EqualizeTest, scenes) {
    for (const std::string_view scene : harness::scene_names()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(harness::make_scene(scene, 163, 90, 1))) << scene;
        ASSERT_NO_FATAL_FAILURE(expect_right(harness::make_scene(scene, 80, 45, 3))) << scene;
    }
}

TEST_P(EqualizeTest, thread_counts) {
    for (const int threads : {1, 2, 3, 5, 7}) {
        for (const cv::Size size : {cv::Size(61, 1), cv::Size(43, 29), cv::Size(1000, 700)}) {
            ASSERT_NO_FATAL_FAILURE(
                expect_right(noise(size.width, size.height), {.threads = threads, .block = {}}));
        }
    }
}

TEST_P(EqualizeTest, block_sizes) {
    for (const common::Block block : harness::test_blocks()) {
        for (const cv::Size size : {cv::Size(1, 1), cv::Size(71, 53), cv::Size(333, 217)}) {
            ASSERT_NO_FATAL_FAILURE(
                expect_right(noise(size.width, size.height), {.threads = 2, .block = block}));
        }
    }
}

TEST_P(EqualizeTest, random) {
    expect_right_at_random(random_cases(variant_));
}

class RanksTest : public EqualizeTest {};

TEST_P(RanksTest, rank_counts) {
    harness::for_rank_counts([&](cv::Size size, int ranks) {
        expect_right(noise(size.width, size.height), {.threads = 2, .ranks = ranks, .block = {}});
    });
}

INSTANTIATE_TEST_SUITE_P(variants, EqualizeTest, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RanksTest);
INSTANTIATE_TEST_SUITE_P(variants, RanksTest,
                         testing::ValuesIn(harness::names_in_ranks(equalize::variants())),
                         [](const auto& test) { return test.param; });

}  // namespace
