#pragma once

#include <array>
#include <cstdint>

#include "options.hpp"

namespace equalize {

/// Rounded to nearest; half-way cases to the even neighbour. For 0 <= x < 2^22.
///
/// Only comparisons follow the product that x is: if anything were added to it, compilers could
/// fuse the two into one multiply-add, which rounds differently.
constexpr int rounded(float x) {
    const int below = static_cast<int>(x);
    const float middle = static_cast<float>(below) + 0.5f;
    return below + (x > middle || (x == middle && below % 2 == 1) ? 1 : 0);
}

/// The definition for one level of the table, where `cdf` pixels of the `pixels` of the image have
/// this level or a darker one, and `cdf_min` have the darkest that occurs. The same on the CPU and
/// in kernels; in the arithmetic of cv::equalizeHist, down to the last bit: a scale in float, and
/// one float multiplication for each level.
constexpr std::uint8_t table_value(int level, Count cdf, Count cdf_min, Count pixels) {
    if (cdf_min == pixels) return static_cast<std::uint8_t>(level);  // a constant image stays
    if (cdf < cdf_min) return 0;                                     // a level that does not occur
    const float scale = 255.0f / static_cast<float>(pixels - cdf_min);
    return static_cast<std::uint8_t>(rounded(static_cast<float>(cdf - cdf_min) * scale));
}

using Histogram = std::array<Count, levels>;
using Table = std::array<std::uint8_t, levels>;

/// The new value of each level, from the number of pixels that are at this level or darker.
Table table_from_cdf(const Histogram& cdf);

/// The same from the number of pixels of each level.
Table table_from_histogram(const Histogram& histogram);

}  // namespace equalize
