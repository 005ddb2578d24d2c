#include "mistakes.hpp"

#include <algorithm>
#include <numeric>

namespace mistakes {
namespace {

namespace oracle = equalize::oracle;
using oracle::Counts;
using oracle::Table;

/// numerator / denominator, rounded as `how` says.
std::int64_t quotient(std::int64_t numerator, std::int64_t denominator,
                      decltype(Rules::rounding) how) {
    std::int64_t below = numerator / denominator;
    if (numerator % denominator < 0) --below;
    const std::int64_t twice_rest = 2 * (numerator - below * denominator);
    if (how == Rules::down || twice_rest < denominator) return below;
    const bool half_way = twice_rest == denominator;
    return half_way && how == Rules::to_even && below % 2 == 0 ? below : below + 1;
}

/// A mistaken value in the 8 bits of a table.
int byte(std::int64_t value) {
    return static_cast<int>(value & 255);
}

/// The counts without the pixels of the last, partial blocks in x and y.
Counts without_partial_blocks(const cv::Mat& image, common::Block block) {
    const int width = image.cols / block.width * block.width;
    const int height = image.rows / block.height * block.height;
    return oracle::histogram(image(cv::Rect(0, 0, width, height)));
}

/// The CDF of a scan in place without a barrier between reading and writing: warps run one after
/// the other, the 32 lanes of a warp in lockstep.
Counts scan_without_barrier(Counts cdf) {
    constexpr std::size_t warp = 32;
    for (std::size_t distance = 1; distance < cdf.size(); distance *= 2) {
        for (std::size_t begin = 0; begin < cdf.size(); begin += warp) {
            const Counts before = cdf;
            for (std::size_t level = std::max(begin, distance); level < begin + warp; ++level) {
                cdf[level] += before[level - distance];
            }
        }
    }
    return cdf;
}

/// The table that a wrong CDF gives for an image of `pixels` pixels.
Table table_of_cdf(const Counts& cdf, std::int64_t pixels) {
    const std::int64_t cdf_min = oracle::cdf_min(cdf);
    Table table{};
    for (std::size_t level = 0; level < table.size(); ++level) {
        if (cdf[level] == 0 || pixels == cdf_min) continue;
        const std::int64_t numerator = (cdf[level] - cdf_min) * 255;
        table[level] = byte(quotient(numerator, pixels - cdf_min, Rules::to_even));
    }
    return table;
}

int differing_pixels(const cv::Mat& a, const cv::Mat& b) {
    cv::Mat differ;
    cv::compare(a, b, differ, cv::CMP_NE);
    return cv::countNonZero(differ);
}

/// True if a mistake whose output is `mistaken` explains `out`. Values may differ by one, because
/// mistakes are computed exactly, and not in float; but `out` has to be much closer to `mistaken`
/// than to the right result.
bool explains(const cv::Mat& mistaken, const cv::Mat& out, const cv::Mat& right) {
    return cv::norm(out, mistaken, cv::NORM_INF) <= 1 &&
           2 * differing_pixels(out, mistaken) < differing_pixels(out, right);
}

/// True if pixels of one level have one value in `out`, and brighter levels no smaller ones.
bool is_some_equalization(const cv::Mat& image, const cv::Mat& out) {
    std::array<int, 256> least;
    std::array<int, 256> greatest;
    least.fill(256);
    greatest.fill(-1);
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            const std::size_t level = image.ptr(y)[x];
            least[level] = std::min<int>(least[level], out.ptr(y)[x]);
            greatest[level] = std::max<int>(greatest[level], out.ptr(y)[x]);
        }
    }
    int before = 0;
    for (std::size_t level = 0; level < least.size(); ++level) {
        if (greatest[level] < 0) continue;
        if (least[level] != greatest[level] || least[level] < before) return false;
        before = greatest[level];
    }
    return true;
}

}  // namespace

Table exact_table(const Counts& counts, const Rules& rules) {
    const Counts cdf = oracle::cdf(counts);
    const std::int64_t pixels = cdf.back();
    const std::int64_t cdf_min = rules.cdf_min == Rules::darkest ? oracle::cdf_min(counts)
                                 : rules.cdf_min == Rules::first ? counts[0]
                                                                 : 0;
    const std::int64_t divisor = rules.minus_cdf_min ? pixels - cdf_min : pixels;
    Table table{};
    if (divisor == 0) std::iota(table.begin(), table.end(), 0);
    if (divisor == 0) return table;
    for (std::size_t level = 0; level < table.size(); ++level) {
        const std::int64_t counted = cdf[level] - (rules.inclusive ? 0 : counts[level]);
        std::int64_t numerator = (counted - cdf_min) * 255;
        if (rules.bits_of_product == 32) numerator = static_cast<std::int32_t>(numerator);
        const bool occurs = cdf[level] > 0;
        table[level] = occurs ? byte(quotient(numerator, divisor, rules.rounding)) : 0;
    }
    return table;
}

std::vector<harness::KnownMistake> of(const cv::Mat& image, std::optional<common::Block> block) {
    if (image.channels() != 1) return {};
    const Counts counts = oracle::histogram(image);
    const auto pixels = static_cast<std::int64_t>(image.total());
    const auto is = [image](auto table) {
        return harness::is([image, table] { return oracle::look_up(image, table()); });
    };
    const auto nearly = [image, right = oracle::equalized(image)](auto table) {
        return [image, right, table](const cv::Mat& out) {
            return explains(oracle::look_up(image, table()), out, right);
        };
    };
    const auto with = [counts](const Rules& rules) {
        return [counts, rules] { return exact_table(counts, rules); };
    };

    std::vector<harness::KnownMistake> all{
        {"the exact quotient is rounded, instead of a product of floats as in cv::equalizeHist",
         is(with({}))},
        {"half-way cases are rounded up instead of to the even neighbour",
         is(with({.rounding = Rules::up}))},
        {"values are truncated instead of rounded", is(with({.rounding = Rules::down}))},
        {"a 32-bit overflow of count * 255", nearly(with({.bits_of_product = 32}))},
        {"the CDF is exclusive: it does not count the level itself",
         nearly(with({.inclusive = false}))},
        {"cdf_min is hist[0], and not the count of the darkest level that occurs",
         nearly(with({.cdf_min = Rules::first}))},
        {"the CDF is divided by N, and cdf_min is not subtracted",
         nearly(with({.cdf_min = Rules::zero}))},
        {"the divisor is N, and not N - cdf_min", nearly(with({.minus_cdf_min = false}))},
        {"the scan lacks a barrier between reading and writing",
         nearly([counts, pixels] { return table_of_cdf(scan_without_barrier(counts), pixels); })}};
    if (block) {
        const Counts counted = without_partial_blocks(image, *block);
        const std::string cause = "the last, partial blocks are not counted";
        if (oracle::cdf(counted).back() > 0) {  // N can be the image's or what was counted
            all.push_back({cause, nearly([counted] { return exact_table(counted); })});
            all.push_back({cause, nearly([counted, pixels] {
                               return table_of_cdf(oracle::cdf(counted), pixels);
                           })});
        }
    }
    all.push_back(
        {"every level has one value, and they are in order: the look-up is right, the table is "
         "wrong; does the histogram lose pixels?",
         [image](const cv::Mat& out) { return is_some_equalization(image, out); }});
    return all;
}

}  // namespace mistakes
