// The table, what the variants are judged by, and the lab's input.

#include <gtest/gtest.h>

#include <numeric>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/image.hpp"
#include "exercise.hpp"
#include "harness/source.hpp"
#include "lab.hpp"
#include "problem/input.hpp"
#include "problem/reference.hpp"
#include "problem/table.hpp"

namespace {

using equalize::Colour;

/// Counts from histograms of many kinds: of one level, of few and of many, up to 2^31 - 1 pixels.
std::vector<gold::Counts> many_histograms() {
    std::vector<gold::Counts> all;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        gold::Counts counts{};
        const std::int64_t most = std::int64_t{1} << seed % 23;
        const int levels = 1 + static_cast<int>(common::random_at(seed, 1000) % 256);
        for (int i = 0; i < levels; ++i) {
            const auto at = static_cast<std::uint64_t>(i);
            const std::uint64_t level = common::random_at(seed, at) % 256;
            const auto count = common::random_at(seed, 256 + at) % static_cast<std::uint64_t>(most);
            counts[level] += 1 + static_cast<std::int64_t>(count);
        }
        all.push_back(counts);
    }
    return all;
}

cv::Mat equalized_by_opencv(const cv::Mat& image) {
    cv::Mat out;
    cv::equalizeHist(image, out);
    return out;
}

void expect_opencv_gives_the_gold(const cv::Mat& image) {
    const cv::Mat out = equalized_by_opencv(image);
    const common::Verdict verdict = gold::check(image)(out, {});
    EXPECT_TRUE(verdict.ok()) << verdict.text();
}

TEST(Gold, agrees_with_opencv) {
    for (const cv::Size& size : common::test_sizes()) {
        expect_opencv_gives_the_gold(noise(size.width, size.height));
        expect_opencv_gives_the_gold(noise_of(size.width, size.height, 30, 7));
    }
    for (const std::string_view scene : common::scene_names()) {
        expect_opencv_gives_the_gold(common::make_scene(scene, 163, 90, 1));
    }
    for (const int k : {1, 2, 3, 7, 1000}) expect_opencv_gives_the_gold(ties(k));
    expect_opencv_gives_the_gold(noise(4099, 4111));
}

/// Rounding to float on the way changes a value only next to a half-way case.
TEST(Gold, is_the_formula_but_for_half_way_cases) {
    for (const gold::Counts& counts : many_histograms()) {
        const gold::Table in_float = gold::table(counts);
        const gold::Table exact = gold::formula(counts);
        std::int64_t cdf_min = 0;
        std::int64_t cdf = 0;
        const std::int64_t pixels = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
        for (std::size_t level = 0; level < counts.size(); ++level) {
            if (cdf == 0) cdf_min = counts[level];
            cdf += counts[level];
            if (in_float[level] == exact[level]) continue;
            const double value =
                static_cast<double>(cdf - cdf_min) * 255 / static_cast<double>(pixels - cdf_min);
            EXPECT_NEAR(value - std::floor(value), 0.5, 7e-5);
        }
    }
}

TEST(Gold, half_way_cases_are_where_the_ways_of_rounding_differ) {
    gold::Counts
        counts{};  // the handout's example: 1 dark pixel, 7 brighter ones, 7 brighter still
    counts[10] = 1;
    counts[20] = 7;
    counts[30] = 7;
    EXPECT_EQ(gold::formula(counts)[20], 128);  // 127.5 to the even neighbour
    EXPECT_EQ(gold::table(counts)[20], 127);    // 7 * float(255 / 14) is less than 127.5
    counts = gold::histogram(ties(1));
    EXPECT_EQ(gold::table(counts)[3], 2);  // 2.5
    EXPECT_EQ(gold::table(counts)[4], 4);  // 3.5
}

TEST(Table, is_the_gold_for_every_histogram) {
    for (const gold::Counts& counts : many_histograms()) {
        equalize::Histogram histogram{};
        std::transform(counts.begin(), counts.end(), histogram.begin(),
                       [](std::int64_t n) { return static_cast<equalize::Count>(n); });
        const equalize::Table ours = equalize::table_from_histogram(histogram);
        const gold::Table wanted = gold::table(counts);
        std::int64_t cdf = 0;
        for (std::size_t level = 0; level < counts.size(); ++level) {
            cdf += counts[level];
            if (cdf == 0) continue;  // a level that does not occur may have any value
            ASSERT_EQ(ours[level], wanted[level]) << "level " << level;
        }
    }
}

TEST(Table, rounds_half_to_even) {
    EXPECT_EQ(equalize::rounded(0.5f), 0);
    EXPECT_EQ(equalize::rounded(1.5f), 2);
    EXPECT_EQ(equalize::rounded(2.5f), 2);
    EXPECT_EQ(equalize::rounded(2.4999998f), 2);
    EXPECT_EQ(equalize::rounded(2.5000002f), 3);
    EXPECT_EQ(equalize::rounded(255.0f), 255);
}

TEST(Reference, accepts_the_gold_and_nothing_else) {
    for (const int channels : {1, 3}) {
        const cv::Mat image = common::make_scene("landscape", 67, 45, channels);
        const common::Check check = equalize::check_against_definition(image);
        cv::Mat out = equalized_by_opencv(equalize::luma_only().input(image));
        if (channels == 3) {
            const common::Adapter luma = equalize::luma_only();
            luma.input(image);
            out = luma.result(out);
        }
        EXPECT_TRUE(check(out, {}).ok());
        EXPECT_TRUE(gold::check(image)(out, {}).ok());
        out.ptr(44)[60] = static_cast<uchar>(out.ptr(44)[60] ^ 1);
        EXPECT_EQ(check(out, {}).wrong, 1);
    }
}

TEST(Input, colours_become_gray_as_cvtColor_does) {
    const std::filesystem::path folder = common::test_folder();
    const cv::Mat colour = common::make_scene("random", 401, 300, 3, 5);
    const std::string file = (folder / "colour.png").string();
    ASSERT_TRUE(cv::imwrite(file, colour));
    cv::Mat gray;
    cv::cvtColor(colour, gray, cv::COLOR_BGR2GRAY);
    const cv::Mat loaded = equalize::load_input(common::parse_source(file), Colour::gray);
    ASSERT_EQ(loaded.type(), CV_8UC1);
    EXPECT_EQ(cv::norm(loaded, gray, cv::NORM_INF), 0);
    const cv::Mat kept = equalize::load_input(common::parse_source(file), Colour::luma);
    EXPECT_EQ(cv::norm(kept, colour, cv::NORM_INF), 0);
    std::filesystem::remove_all(folder);
}

TEST(Input, luma_of_a_gray_picture_is_the_picture) {
    const cv::Mat image = noise(31, 17);
    const common::Adapter luma = equalize::luma_only();
    EXPECT_EQ(cv::norm(luma.input(image), image, cv::NORM_INF), 0);
    EXPECT_EQ(luma.result(image).type(), CV_8UC1);
}

TEST(Input, skewed_halves_from_level_to_level) {
    common::ImageSource source = common::parse_source("random:256x256");
    source.scene = "skewed";
    const gold::Counts counts = gold::histogram(equalize::load_input(source, Colour::gray));
    EXPECT_NEAR(static_cast<double>(counts[0]), 32768, 800);
    EXPECT_NEAR(static_cast<double>(counts[1]), 16384, 600);
    EXPECT_NEAR(static_cast<double>(counts[4]), 2048, 250);
}

TEST(Problem, refuses_more_pixels_than_32_bits_count) {
    const common::Problem problem = equalize::problem(common::parse_source("random:2x2"), {});
    uchar pixel = 0;  // never read: the rows of this image are all the same byte
    EXPECT_NO_THROW(problem.output_shape(cv::Mat(32768, 65535, CV_8UC1, &pixel, 65535)));
    EXPECT_THROW(problem.output_shape(cv::Mat(32768, 65536, CV_8UC1, &pixel, 65536)),
                 common::BadUsage);
}

}  // namespace
