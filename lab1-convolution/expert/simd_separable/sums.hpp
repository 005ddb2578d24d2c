#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/instruction_sets.hpp"
#include "problem/separable.hpp"
#include "problem/sizes.hpp"
#include "tiling.hpp"
#include "vectors.hpp"

// The weighted sums of a tile's rows, in 16-bit integers or floats.

namespace convolution {

static constexpr int rows_at_once = 4;  // rows of sums in registers
static constexpr int pitch =
    tile_width + 2 * step;  // of buffers; room for a halo of 3 * 7 on each side

/// The weights in the type of the sums.
template <class Sum>
struct Taps {
    Sum weights[Mask::max_size * Mask::max_size];
    Sum column[Mask::max_size];
    Sum row[Mask::max_size];
    Sum centre;

    explicit Taps(const Decomposition& mask) {
        const auto as_sum = [](float weight) {
            if constexpr (std::is_same_v<Sum, float>) return weight;
            return static_cast<Sum>(static_cast<int>(weight));  // modulo 2^16
        };
        std::ranges::transform(mask.weights, weights, as_sum);
        std::ranges::transform(mask.column, column, as_sum);
        std::ranges::transform(mask.row, row, as_sum);
        centre = as_sum(mask.centre);
    }
};

/// The unpacked source rows of a tile with their halo, and sums.
template <class Sum>
struct Buffers {
    alignas(64) Sum rows[(tile_height + Mask::max_size - 1) * pitch];
    alignas(64) Sum column_sums[pitch];
    alignas(64) Sum sums[rows_at_once * pitch];
    std::uint8_t line[tile_width + cache_line];
};

/// sums[i] (+)= sum over k of taps[k] * in[i + k * stride]. A stride of `pitch` sums over a column.
template <int Bytes, bool Add, class Sum>
ALWAYS_INLINE inline void add_taps(const Sum* in, int stride, const Sum* taps, int size, int count,
                                   Sum* sums) {
    with_size(size, [=]<int N>() ALWAYS_INLINE {
        for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
            Vector<Sum, Bytes> sum = {};
            if constexpr (Add) load(sum, sums + i);
#pragma GCC unroll 16
            for (int k = 0; k < N; ++k) {
                Vector<Sum, Bytes> value;
                load(value, in + i + k * stride);
                sum += taps[k] * value;
            }
            std::memcpy(sums + i, &sum, sizeof sum);
        }
    });
}

/// Register blocking: whole windows of N x N taps for `rows_at_once` rows of sums, which share each
/// load.
template <int Bytes, int N, class Sum>
ALWAYS_INLINE inline void add_windows(const Sum* rows, int stride, const Sum* taps, int count,
                                      Sum* sums) {
    for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
        Vector<Sum, Bytes> sum[rows_at_once] = {};
#pragma GCC unroll 16
        for (int s = 0; s < N + rows_at_once - 1; ++s) {
#pragma GCC unroll 16
            for (int j = 0; j < N; ++j) {
                Vector<Sum, Bytes> value;
                load(value, rows + i + s * pitch + j * stride);
#pragma GCC unroll 16
                for (int r = 0; r < rows_at_once; ++r) {
                    const int row_of_mask = s - r;
                    if (row_of_mask < 0 || row_of_mask >= N) continue;
                    sum[r] += taps[row_of_mask * N + j] * value;
                }
            }
        }
#pragma GCC unroll 16
        for (int r = 0; r < rows_at_once; ++r) {
            std::memcpy(sums + r * pitch + i, &sum[r], sizeof sum[r]);
        }
    }
}

/// The sums of `rows_at_once` rows, `count` values of each; `rows` begins with the halo.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void sum_rows(const Sum* rows, const Decomposition& mask,
                                   const Taps<Sum>& taps, int stride, int count,
                                   Buffers<Sum>& buffers) {
    const int n = mask.size;
    if (!mask.separable && n == 3) {
        return add_windows<Bytes, 3>(rows, stride, taps.weights, count, buffers.sums);
    }
    if (!mask.separable && n == 5) {
        return add_windows<Bytes, 5>(rows, stride, taps.weights, count, buffers.sums);
    }
    for (int r = 0; r < rows_at_once; ++r) {
        Sum* sums = buffers.sums + r * pitch;
        const Sum* top = rows + r * pitch;
        if (mask.separable) {
            const int with_halo = whole_steps(count + (n - 1) * stride);
            add_taps<Bytes, false>(top, pitch, taps.column, n, with_halo, buffers.column_sums);
            add_taps<Bytes, false>(buffers.column_sums, stride, taps.row, n, count, sums);
            if (!mask.in_16_bits && mask.centre != 0) {
                const Sum* middle = top + n / 2 * (pitch + stride);
                add_taps<Bytes, true>(middle, stride, &taps.centre, 1, count, sums);
            }
        } else {
            add_taps<Bytes, false>(top, stride, taps.weights, n, count, sums);
            for (int i = 1; i < n; ++i) {
                add_taps<Bytes, true>(top + i * pitch, stride, taps.weights + i * n, n, count,
                                      sums);
            }
        }
    }
}

}  // namespace convolution
