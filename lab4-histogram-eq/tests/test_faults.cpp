// Tests of the tests: each of these variants has one common mistake. The tests have to find it, and
// the message has to name it. Kernels are simulated thread by thread, in an order that a GPU may
// choose and that exposes the mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "cases.hpp"

namespace {

using common::Block;
using common::ImageView;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using Bins = std::array<std::uint32_t, 256>;

constexpr Block block{8, 4};

Bins counted(ImageView<const std::uint8_t> in) {
    Bins counts{};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++counts[in.at(x, y)];
    }
    return counts;
}

void scanned(Bins& counts) {
    for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

/// The parameters of a mistake. The defaults are those of the definition.
struct Mistake {
    std::function<Bins(ImageView<const std::uint8_t>)> count = counted;
    std::function<void(Bins&)> scan = scanned;
    bool exclusive = false;
    bool cdf_min_is_hist_0 = false;
    bool divides_by_all = false;
    bool in_32_bits = false;
    std::function<float(float)> round = [](float x) { return std::nearbyint(x); };
    bool skips_partial_blocks = false;  ///< in the look-up
};

std::uint8_t table_value(std::size_t level, const Bins& counts, const Bins& cdf,
                         const Mistake& mistake, std::uint32_t pixels) {
    const auto darkest = std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 0; });
    const std::uint32_t cdf_min = mistake.cdf_min_is_hist_0 ? counts[0] : *darkest;
    if (cdf_min == pixels) return static_cast<std::uint8_t>(level);
    if (cdf[level] == 0) return 0;
    const std::uint32_t sum = cdf[level] - (mistake.exclusive ? counts[level] : 0) - cdf_min;
    const auto divisor = static_cast<float>(mistake.divides_by_all ? pixels : pixels - cdf_min);
    const float value = mistake.in_32_bits
                            ? static_cast<float>(static_cast<std::int32_t>(sum * 255)) / divisor
                            : static_cast<float>(static_cast<std::int32_t>(sum)) * (255 / divisor);
    return static_cast<std::uint8_t>(static_cast<int>(mistake.round(value)) & 255);
}

void equalize(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Mistake& mistake) {
    const Bins counts = mistake.count(in);
    Bins cdf = counts;
    mistake.scan(cdf);
    const auto pixels =
        static_cast<std::uint32_t>(in.width) * static_cast<std::uint32_t>(in.height);
    std::array<std::uint8_t, 256> table{};
    for (std::size_t level = 0; level < table.size(); ++level) {
        table[level] = table_value(level, counts, cdf, mistake, pixels);
    }
    const bool whole = !mistake.skips_partial_blocks;
    const int width = whole ? in.width : in.width / block.width * block.width;
    const int height = whole ? in.height : in.height / block.height * block.height;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

/// Additions that are not atomic: of two at the same time, one is lost.
Bins counted_without(ImageView<const std::uint8_t> in, const std::function<bool(int x)>& lost) {
    Bins counts{};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            if (!lost(x)) ++counts[in.at(x, y)];
        }
    }
    return counts;
}

Bins counted_in_whole_blocks(ImageView<const std::uint8_t> in) {
    in.width = in.width / block.width * block.width;
    in.height = in.height / block.height * block.height;
    return counted(in);
}

/// Three threads with counters of 16 bits.
Bins counted_in_16_bits(ImageView<const std::uint8_t> in) {
    Bins counts{};
    for (int part = 0; part < 3; ++part) {
        ImageView<const std::uint8_t> rows = in;
        rows.data += in.height / 3 * part * in.pitch;
        rows.height = part < 2 ? in.height / 3 : in.height - in.height / 3 * 2;
        const Bins own = counted(rows);
        for (std::size_t i = 0; i < own.size(); ++i) counts[i] += own[i] & 0xffff;
    }
    return counts;
}

/// A scan by 256 threads. Without a barrier after the reads, a warp writes its sums before the next
/// one reads.
void scan_by_warps(Bins& cdf, bool barrier) {
    for (std::size_t distance = 1; distance < cdf.size(); distance *= 2) {
        Bins read = cdf;
        for (std::size_t warp = 0; warp < cdf.size() / 32; ++warp) {
            if (!barrier) read = cdf;
            for (std::size_t lane = 0; lane < 32; ++lane) {
                const std::size_t level = 32 * warp + lane;
                if (level >= distance) cdf[level] = read[level] + read[level - distance];
            }
        }
    }
}

std::string check_call(const Mistake& mistake, const cv::Mat& image) {
    common::VariantInfo info;
    info.name = "planted";
    const harness::Job job{[mistake](const cv::Mat& in, cv::Mat& out) {
        equalize(harness::view_of<const std::uint8_t>(in), harness::view_of<std::uint8_t>(out),
                 mistake);
    }};
    return harness::check_call(variant_call_for(info, job, image, "none", block));
}

/// Levels from 20 on; the size is no multiple of the block's.
std::string check_call(const Mistake& mistake) {
    return check_call(mistake, noise_of(93, 58, 20, 3));
}

auto is_reported_as(const std::string& cause, const std::string& size = "93x58x1") {
    return AllOf(StartsWith("WRONG planted on "), HasSubstr(": first wrong value at"),
                 HasSubstr("on " + size + " (none)"), HasSubstr("looks like: " + cause),
                 HasSubstr("difference image: "));
}

TEST(PlantedFault, none) {
    EXPECT_EQ(check_call({}), "");
    EXPECT_EQ(check_call({}, ties(1)), "");
    EXPECT_EQ(check_call({.scan = [](Bins& cdf) { scan_by_warps(cdf, true); }}), "");
}

TEST(PlantedFault, exclusive_cdf) {
    EXPECT_THAT(check_call({.exclusive = true}), is_reported_as("the CDF: the scan is exclusive"));
}

TEST(PlantedFault, cdf_min_is_hist_0) {
    EXPECT_THAT(check_call({.cdf_min_is_hist_0 = true}), is_reported_as("cdf_min is hist[0]"));
}

TEST(PlantedFault, division_by_n) {
    EXPECT_THAT(check_call({.divides_by_all = true}, noise_of(93, 58, 20, 50)),
                is_reported_as("the divisor is N, and not N - cdf_min"));
}

TEST(PlantedFault, truncation_for_rounding) {
    EXPECT_THAT(check_call({.round = [](float x) { return std::floor(x); }}),
                is_reported_as("values are truncated"));
}

TEST(PlantedFault, half_way_cases_rounded_up) {
    EXPECT_THAT(check_call({.round = [](float x) { return std::floor(x + 0.5f); }}, ties(1)),
                is_reported_as("half-way cases are rounded up", "15x35x1"));
}

TEST(PlantedFault, lost_atomic) {
    const auto runs = std::make_shared<int>(0);
    const auto count = [runs](ImageView<const std::uint8_t> in) {
        const int run = ++*runs;
        return counted_without(in, [run](int x) { return x % 4 == run; });
    };
    EXPECT_THAT(check_call({.count = count}),
                is_reported_as("two runs differ: a race (a lost update?)"));
}

TEST(PlantedFault, lost_atomic_the_same_in_every_run) {
    const auto count = [](ImageView<const std::uint8_t> in) {
        return counted_without(in, [](int x) { return x % 32 == 31; });
    };
    EXPECT_THAT(check_call({.count = count}),
                is_reported_as("the last of 32 histograms is not merged"));
}

TEST(PlantedFault, no_barrier_in_the_scan) {
    EXPECT_THAT(check_call({.scan = [](Bins& cdf) { scan_by_warps(cdf, false); }}),
                is_reported_as("the CDF: the scan lacks a barrier"));
}

TEST(PlantedFault, overflow_of_32_bits) {
    EXPECT_EQ(check_call({.in_32_bits = true}, noise(2311, 1801)), "") << "nothing to overflow yet";
    EXPECT_THAT(check_call({.in_32_bits = true}, noise(3001, 2903)),
                is_reported_as("a 32-bit overflow of count * 255", "3001x2903x1"));
}

TEST(PlantedFault, overflow_of_16_bits_in_each_thread) {
    EXPECT_THAT(check_call({.count = counted_in_16_bits}, noise_of(2000, 300, 10, 200)),
                is_reported_as("16-bit counters overflow", "2000x300x1"));
}

TEST(PlantedFault, partial_blocks_not_counted) {
    EXPECT_THAT(check_call({.count = counted_in_whole_blocks}),
                is_reported_as("the last, partial blocks are not counted"));
}

TEST(PlantedFault, partial_blocks_not_looked_up) {
    EXPECT_THAT(check_call({.skips_partial_blocks = true}),
                is_reported_as("48 values are never written: columns 16 to 19"));
}

}  // namespace
