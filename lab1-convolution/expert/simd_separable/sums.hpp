#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "ladder/parts/separable.hpp"
#include "problem/sizes.hpp"
#include "tiling.hpp"

// The weighted sums of a tile's rows, in 16-bit integers or floats.

namespace convolution {

static constexpr int rows_at_once = 4;  // rows of sums in registers

/// The weights in the type of the sums.
template <class Sum>
struct Taps {
    Sum weights[Mask::max_size * Mask::max_size];
    Sum column[Mask::max_size];
    Sum row[Mask::max_size];

    /// A small mask has pairs of weights as bytes with a sign, if no sum of the products of a pair
    /// needs more than 16 bits. `pairs` has, row by row, each weight of an even column and the next
    /// one; `last_pairs`, of the last column, each weight of an even row and the one below.
    /// `row_pairs`, if the mask is separable, has those of its row.
    bool in_pairs = false;
    Sum pairs[10];
    Sum last_pairs[3];
    bool row_in_pairs = false;
    Sum row_pairs[3];

    explicit Taps(const Decomposition& mask) {
        const auto as_sum = [](float weight) {
            if constexpr (std::is_same_v<Sum, float>) return weight;
            return static_cast<Sum>(static_cast<int>(weight));  // modulo 2^16
        };
        std::ranges::transform(mask.weights, weights, as_sum);
        std::ranges::transform(mask.column, column, as_sum);
        std::ranges::transform(mask.row, row, as_sum);
        if constexpr (!std::is_same_v<Sum, float>) set_pairs(mask);
    }

    void set_pairs(const Decomposition& mask) {
        const int n = mask.size;
        const auto pair_of = [](float first, float second, bool& fits) {
            const int low = static_cast<int>(first);
            const int high = static_cast<int>(second);
            fits &= std::abs(low) + std::abs(high) < 128;
            return static_cast<Sum>((high & 255) << 8 | (low & 255));
        };
        in_pairs = n <= 5 && mask.centre == 0;
        Sum* pair = pairs;
        for (int i = 0; in_pairs && i < n; ++i) {
            const float* weight = mask.weights + i * n;
            for (int j = 0; j + 1 < n; j += 2) {
                *pair++ = pair_of(weight[j], weight[j + 1], in_pairs);
            }
            if (i % 2 != 0) continue;
            const float below = i + 1 < n ? weight[2 * n - 1] : 0;
            last_pairs[i / 2] = pair_of(weight[n - 1], below, in_pairs);
        }
        row_in_pairs = n <= 5 && mask.centre == 0 && mask.separable;
        for (int j = 0; row_in_pairs && j < n; j += 2) {
            row_pairs[j / 2] = pair_of(mask.row[j], j + 1 < n ? mask.row[j + 1] : 0, row_in_pairs);
        }
    }
};

template <int Bytes, class Sum>
ALWAYS_INLINE inline void to_values(const std::uint8_t* pixels, int count, Sum* values) {
    for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
        Vector<Sum, Bytes> value;
        load_values(value, pixels + i);
        std::memcpy(values + i, &value, sizeof value);
    }
}

/// For a separable mask: `rows_at_once` rows of the weighted sums of each column of N pixels. A
/// pixel is loaded once for all rows.
template <int Bytes, int N, class Sum>
ALWAYS_INLINE inline void sum_columns(const std::uint8_t* const* rows, const Sum* taps, int count,
                                      Sum* sums) {
    for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
        Vector<Sum, Bytes> sum[rows_at_once] = {};
#pragma GCC unroll 18
        for (int s = 0; s < N + rows_at_once - 1; ++s) {
            Vector<Sum, Bytes> value;
            load_values(value, rows[s] + i);
#pragma GCC unroll 4
            for (int r = 0; r < rows_at_once; ++r) {
                if (r <= s && s < r + N) sum[r] += taps[s - r] * value;
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows_at_once; ++r) {
            std::memcpy(sums + r * pitch + i, &sum[r], sizeof sum[r]);
        }
    }
}

/// Then the weighted sums of each row of N such sums, which are given to `use(i, sum)`.
template <int Bytes, int N, class Sum, class Use>
ALWAYS_INLINE inline void sum_row(const Sum* columns, int stride, const Sum* taps, int count,
                                  Use use) {
    for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
        Vector<Sum, Bytes> sum = {};
#pragma GCC unroll 16
        for (int j = 0; j < N; ++j) {
            Vector<Sum, Bytes> value;
            load_values(value, columns + i + j * stride);
            sum += taps[j] * value;
        }
        use(i, sum);
    }
}

/// For another mask: whole windows of N x N values for `rows_at_once` rows, given to
/// `use(r, i, sum)`. The rows share each load.
template <int Bytes, int N, class Value, class Sum, class Use>
ALWAYS_INLINE inline void sum_small_windows(const Value* rows, int stride, const Sum* taps,
                                            int count, Use use) {
    for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
        Vector<Sum, Bytes> sum[rows_at_once] = {};
#pragma GCC unroll 8
        for (int s = 0; s < N + rows_at_once - 1; ++s) {
#pragma GCC unroll 5
            for (int j = 0; j < N; ++j) {
                Vector<Sum, Bytes> value;
                load_values(value, rows + i + s * pitch + j * stride);
#pragma GCC unroll 4
                for (int r = 0; r < rows_at_once; ++r) {
                    if (r <= s && s < r + N) sum[r] += taps[(s - r) * N + j] * value;
                }
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows_at_once; ++r) use(r, i, sum[r]);
    }
}

/// The same for so many weights that they do not stay in registers: several vectors of each row
/// share the load of a weight. Loops over weights are hardly unrolled: otherwise the compiler
/// prepares all of them in memory.
template <int Bytes, int N, class Value, class Sum, class Use>
ALWAYS_INLINE inline void sum_large_windows(const Value* rows, int stride, const Sum* taps,
                                            int count, Use use) {
    constexpr int width = lanes<Bytes, Sum>;
    constexpr int vectors = Bytes == 64 ? step / width : 2;  // for which the registers suffice
    using Sums = Vector<Sum, Bytes>;
    // SSE cannot load one value into all lanes, but takes vectors in memory as operands.
    constexpr bool spreads = Bytes == 16;
    Sums spread[spreads ? N * N : 1];
    for (int i = 0; spreads && i < N * N; ++i) spread[i] = Sums{} + taps[i];
    if (spreads) keep_in_memory(spread);
    for (int i = 0; i < count; i += vectors * width) {
        Sums sums[rows_at_once][vectors] = {};
        // Adds what row s of the source gives to the sums of rows First ... Last.
        const auto add_row = [&]<int First, int Last>(int s) ALWAYS_INLINE {
#pragma GCC unroll 2
            for (int j = 0; j < N; ++j) {
                Sums values[vectors];
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v) {
                    load_values(values[v], rows + i + v * width + s * pitch + j * stride);
                }
#pragma GCC unroll 4
                for (int r = First; r <= Last; ++r) {
                    const int index = (s - r) * N + j;
                    const Sums weight = spreads ? spread[index] : Sums{} + taps[index];
#pragma GCC unroll 4
                    for (int v = 0; v < vectors; ++v) sums[r][v] += weight * values[v];
                }
            }
        };
        static_assert(rows_at_once == 4 && N >= 3);
        add_row.template operator()<0, 0>(0);
        add_row.template operator()<0, 1>(1);
        add_row.template operator()<0, 2>(2);
        for (int s = 3; s < N; ++s) add_row.template operator()<0, 3>(s);
        add_row.template operator()<1, 3>(N);
        add_row.template operator()<2, 3>(N + 1);
        add_row.template operator()<3, 3>(N + 2);
#pragma GCC unroll 4
        for (int r = 0; r < rows_at_once; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) use(r, i + v * width, sums[r][v]);
        }
    }
}

template <int Bytes, int N, class Value, class Sum, class Use>
ALWAYS_INLINE inline void sum_windows(const Value* rows, int stride, const Sum* taps, int count,
                                      Use use) {
    if constexpr (N < 5 || (N == 5 && sizeof(Sum) == 2)) {
        sum_small_windows<Bytes, N>(rows, stride, taps, count, use);
    } else {
        sum_large_windows<Bytes, N>(rows, stride, taps, count, use);
    }
}

/// The same with weights in pairs, for Bytes pixels at a time. `use(r, i, low, high)` gets sums in
/// the order of `interleave`.
template <int Bytes, int N, class Use>
ALWAYS_INLINE inline void sum_pairs(const std::uint8_t* rows, int stride,
                                    const Taps<std::uint16_t>& taps, int count, Use use) {
    constexpr int last_row = N + rows_at_once - 2;
    for (int i = 0; i < count; i += Bytes) {
        Vector<std::uint16_t, Bytes> low[rows_at_once] = {};
        Vector<std::uint16_t, Bytes> high[rows_at_once] = {};
#pragma GCC unroll 8
        for (int s = 0; s <= last_row; ++s) {
            const std::uint8_t* const row = rows + s * pitch + i;
            Vector<std::uint8_t, Bytes> first, second;
            Vector<std::uint16_t, Bytes> low_pairs, high_pairs;
#pragma GCC unroll 2
            for (int j = 0; j < N / 2; ++j) {
                load(first, row + 2 * j * stride);
                load(second, row + (2 * j + 1) * stride);
                interleave(first, second, low_pairs, high_pairs);
#pragma GCC unroll 4
                for (int r = 0; r < rows_at_once; ++r) {
                    if (r > s || s >= r + N) continue;
                    const std::uint16_t pair = taps.pairs[(s - r) * (N / 2) + j];
                    add_products(low[r], low_pairs, pair);
                    add_products(high[r], high_pairs, pair);
                }
            }
            load(first, row + (N - 1) * stride);
            load(second, row + (N - 1) * stride + (s < last_row ? pitch : 0));
            interleave(first, second, low_pairs, high_pairs);
#pragma GCC unroll 4
            for (int r = 0; r < rows_at_once; ++r) {
                if (r > s || s >= r + N || (s - r) % 2 != 0) continue;
                const std::uint16_t pair = taps.last_pairs[(s - r) / 2];
                add_products(low[r], low_pairs, pair);
                add_products(high[r], high_pairs, pair);
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows_at_once; ++r) use(r, i, low[r], high[r]);
    }
}

}  // namespace convolution
