#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "options.hpp"

namespace equalize {

/// Rounds to nearest, half-way cases to even. For 0 <= x < 2^22.
///
/// Callers pass a product. Only comparisons use it here: a compiler could contract a product and an
/// addition to one fused multiply-add, which rounds differently.
constexpr int rounded(float x) {
    const int below = static_cast<int>(x);
    const float middle = static_cast<float>(below) + 0.5f;
    return below + (x > middle || (x == middle && below % 2 == 1) ? 1 : 0);
}

/// The new value of one level. `cdf` is the inclusive scan of the histogram at this level,
/// `cdf_min` the one at the darkest level that occurs, `pixels` the one at the last level. CPU and
/// GPU compute the same bits, which are those of cv::equalizeHist: one scale and one product, both
/// in float.
template <class Integer>
constexpr std::uint8_t table_value(int level, Integer cdf, Integer cdf_min, Integer pixels) {
    if (cdf_min == pixels) return static_cast<std::uint8_t>(level);  // a constant image stays
    if (cdf < cdf_min) return 0;                                     // darker than all pixels
    const float scale = 255.0f / static_cast<float>(pixels - cdf_min);
    return static_cast<std::uint8_t>(rounded(static_cast<float>(cdf - cdf_min) * scale));
}

using Histogram = std::array<Count, levels>;
using Table = std::array<std::uint8_t, levels>;

inline Table table_from_histogram(const Histogram& histogram) {
    const Count pixels = std::accumulate(histogram.begin(), histogram.end(), Count{0});
    Table table{};
    Count cdf = 0;
    Count cdf_min = 0;
    for (std::size_t level = 0; level < levels; ++level) {
        cdf += histogram[level];
        if (cdf_min == 0) cdf_min = cdf;
        table[level] = table_value(static_cast<int>(level), cdf, cdf_min, pixels);
    }
    return table;
}

}  // namespace equalize
