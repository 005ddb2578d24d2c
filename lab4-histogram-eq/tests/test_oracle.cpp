// The oracle against hand-computed values, exact integers and OpenCV; the shared table against the
// oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "cases.hpp"
#include "harness/random.hpp"
#include "harness/scenes.hpp"
#include "mistakes.hpp"
#include "mutant.hpp"
#include "problem/input.hpp"
#include "problem/oracle.hpp"
#include "problem/table.hpp"

namespace {

namespace oracle = equalize::oracle;
using mistakes::exact_table;
using mistakes::Rules;
using oracle::Counts;

/// Some pixels per level, and the value that one of the levels gets.
struct Known {
    std::vector<std::pair<std::size_t, std::int64_t>> pixels;
    std::size_t level;
    int value;
};

const std::vector<Known> known{
    {{{100, 5}}, 100, 100},                           // a constant image stays
    {{{10, 1}, {20, 7}, {30, 7}}, 10, 0},             // the darkest level
    {{{10, 1}, {20, 7}, {30, 7}}, 30, 255},           // the brightest
    {{{10, 1}, {20, 7}, {30, 7}}, 20, 127},           // 7 * float(255 / 14) is less than 127.5
    {{{10, 1}, {20, 1}, {30, 1}}, 20, 128},           // 127.5 to even
    {{{0, 1}, {1, 5}, {2, 97}}, 1, 12},               // 12.5 to even
    {{{5, 9}, {6, 2}, {7, 1}}, 6, 170},               // cdf_min is 9: 2 * 255 / 3
    {{{0, 1}, {1, 10'000'000}, {2, 1}}, 1, 255},      // count * 255 exceeds 2^31
    {{{0, 1}, {1, 2'147'483'645}, {2, 1}}, 1, 255}};  // as many pixels as the lab accepts

Counts counts_of(const Known& image) {
    Counts counts{};
    for (const auto& [level, count] : image.pixels) counts[level] = count;
    return counts;
}

int wrong_values(const std::function<oracle::Table(const Counts&)>& table) {
    int wrong = 0;
    for (const Known& image : known) {
        wrong += table(counts_of(image))[image.level] != image.value ? 1 : 0;
    }
    return wrong;
}

TEST(Oracle, gives_hand_computed_values) {
    EXPECT_EQ(wrong_values(oracle::table), 0);
    const Counts counts = oracle::histogram(ties(1));
    EXPECT_EQ(oracle::table(counts)[3], 2);  // 2.5
    EXPECT_EQ(oracle::table(counts)[4], 4);  // 3.5
}

TEST(Oracle, broken_ones_do_not) {
    for (const Rules& rules : {Rules{}, Rules{.scan = {.exclusive = true}},
                               Rules{.cdf_min = Rules::first}, Rules{.cdf_min = Rules::zero},
                               Rules{.divisor = Rules::all}, Rules{.rounding = Rules::half_up},
                               Rules{.rounding = Rules::down}, Rules{.bits_of_product = 32}}) {
        EXPECT_GT(wrong_values([&](const Counts& counts) { return exact_table(counts, rules); }),
                  0);
    }
}

TEST(Mistakes, overflow_of_32_bits) {
    const cv::Mat image = noise(3001, 2903);
    const auto table = exact_table(oracle::histogram(image), {.bits_of_product = 32});
    cv::Mat out = image.clone();
    for (uchar& value : cv::Mat_<uchar>(out)) value = static_cast<uchar>(table[value]);
    const auto named = [](const auto& mistake) {
        return mistake.name == "a 32-bit overflow of count * 255";
    };
    const auto all = mistakes::of(image, {});
    const auto overflow = std::ranges::find_if(all, named);
    ASSERT_NE(overflow, all.end());
    EXPECT_TRUE(overflow->explains(out));
    EXPECT_FALSE(overflow->explains(oracle::equalized(image)));
}

/// Histograms of one level, of few and of many, up to 2^31 - 1 pixels.
std::vector<Counts> many_histograms() {
    std::vector<Counts> all;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Counts counts{};
        const std::int64_t most = std::int64_t{1} << seed % 23;
        const int levels = 1 + static_cast<int>(harness::random_at(seed, 1000) % 256);
        for (int i = 0; i < levels; ++i) {
            const auto at = static_cast<std::uint64_t>(i);
            const std::uint64_t level = harness::random_at(seed, at) % 256;
            const auto count =
                harness::random_at(seed, 256 + at) % static_cast<std::uint64_t>(most);
            counts[level] += 1 + static_cast<std::int64_t>(count);
        }
        all.push_back(counts);
    }
    return all;
}

/// Rounding to float changes a value only next to a half-way case.
TEST(Oracle, is_the_exact_quotient_except_next_to_half_way_cases) {
    for (const Counts& counts : many_histograms()) {
        const oracle::Table in_float = oracle::table(counts);
        const oracle::Table exact = exact_table(counts);
        const Counts cdf = oracle::cdf(counts);
        const auto divisor = static_cast<double>(cdf.back() - oracle::cdf_min(counts));
        for (std::size_t level = 0; level < counts.size(); ++level) {
            if (counts[level] == 0 || in_float[level] == exact[level]) continue;
            const double value =
                static_cast<double>(cdf[level] - oracle::cdf_min(counts)) * 255 / divisor;
            EXPECT_NEAR(value - std::floor(value), 0.5, 7e-5);
        }
    }
}

void expect_oracle_accepts_opencv(const cv::Mat& image) {
    cv::Mat out;
    cv::equalizeHist(image, out);
    const harness::Verdict verdict = oracle::check(image)(out, {});
    EXPECT_TRUE(verdict.ok()) << verdict.text();
}

TEST(Oracle, agrees_with_opencv) {
    for (const cv::Size& size : harness::test_sizes()) {
        expect_oracle_accepts_opencv(noise(size.width, size.height));
        expect_oracle_accepts_opencv(noise_of(size.width, size.height, 30, 7));
    }
    for (const std::string_view scene : harness::scene_names()) {
        expect_oracle_accepts_opencv(harness::make_scene(scene, 163, 90, 1));
    }
    for (const int k : {1, 2, 3, 7, 1000}) expect_oracle_accepts_opencv(ties(k));
    expect_oracle_accepts_opencv(noise(4099, 4111));
}

TEST(Oracle, rejects_one_wrong_pixel) {
    for (const int channels : {1, 3}) {
        const cv::Mat image = harness::make_scene("landscape", 67, 45, channels);
        const harness::Adapter luma = equalize::luma_only();
        cv::Mat out;
        cv::equalizeHist(luma.input(image), out);
        out = luma.result(out);
        EXPECT_TRUE(oracle::check(image)(out, {}).ok());
        out.ptr(44)[60] = static_cast<uchar>(out.ptr(44)[60] ^ 1);
        EXPECT_EQ(oracle::check(image)(out, {}).wrong, 1);
    }
}

TEST(Table, is_that_of_the_oracle) {
    for (const Counts& counts : many_histograms()) {
        equalize::Histogram histogram{};
        std::transform(counts.begin(), counts.end(), histogram.begin(),
                       [](std::int64_t n) { return static_cast<equalize::Count>(n); });
        const equalize::Table table = equalize::table_from_histogram(histogram);
        const oracle::Table wanted = oracle::table(counts);
        for (std::size_t level = 0; level < counts.size(); ++level) {
            if (counts[level] == 0) continue;  // any value will do
            ASSERT_EQ(table[level], wanted[level]) << "level " << level;
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

}  // namespace
