#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/instruction_sets.hpp"
#include "ladder/parts/separable.hpp"
#include "problem/variant.hpp"

// Sums of a strip of a row, of 16-bit integers or floats: a row of taps added, and the conversion
// to pixels.

namespace convolution {

inline constexpr std::ptrdiff_t strip = 2048;                    // values
inline constexpr std::ptrdiff_t widest_halo = 2 * 3 * (15 / 2);  // of 3 channels and a 15x15 mask

/// A strip of output bytes [begin, end) of row y, all in the interior.
struct Strip {
    common::ImageView<const std::uint8_t> in;
    std::uint8_t* out;
    int y;
    std::ptrdiff_t begin;
    std::ptrdiff_t end;
};

/// Negative integers as their value modulo 2^16.
template <class Sum>
Sum as_sum(float weight) {
    if constexpr (std::is_same_v<Sum, float>) return weight;
    return static_cast<Sum>(static_cast<int>(weight));
}

/// value * weight + sum; 16-bit integers modulo 2^16.
template <class Sum>
ALWAYS_INLINE inline Sum multiply_add(Sum value, Sum weight, Sum sum) {
    if constexpr (std::is_same_v<Sum, float>) return value * weight + sum;
    return static_cast<Sum>(1U * value * weight + sum);  // unsigned: int could overflow
}

/// Sums as pixels: without bias, scaled, clamped and truncated.
template <class Sum>
ALWAYS_INLINE inline void to_pixels(const Sum* sums, const Decomposition& mask,
                                    std::ptrdiff_t count, std::uint8_t* out) {
    const auto bias = static_cast<Sum>(mask.bias);
    const float scale = mask.scale;
    if (std::is_same_v<Sum, float> || mask.shift < 0) {
#pragma omp simd
        for (std::ptrdiff_t b = 0; b < count; ++b) {
            out[b] = to_pixel(static_cast<float>(std::max(sums[b], bias) - bias) * scale);
        }
        return;
    }
    const int shift = mask.shift;
#pragma omp simd
    for (std::ptrdiff_t b = 0; b < count; ++b) {
        const auto sum = static_cast<std::uint16_t>(std::max(sums[b], bias) - bias);
        out[b] = static_cast<std::uint8_t>(std::min(sum >> shift, 255));
    }
}

/// sums += the sum over a row of the window.
template <class Sum, int N>
ALWAYS_INLINE inline void add_row(const Sum* values, std::ptrdiff_t channels, const float* row,
                                  std::ptrdiff_t count, Sum* sums) {
    Sum weights[N];
    std::transform(row, row + N, weights, as_sum<Sum>);
#pragma omp simd
    for (std::ptrdiff_t b = 0; b < count; ++b) {
        Sum sum = sums[b];
#pragma GCC unroll 15
        for (int j = 0; j < N; ++j) {
            sum = multiply_add(values[b + j * channels], weights[j], sum);
        }
        sums[b] = sum;
    }
}

}  // namespace convolution
