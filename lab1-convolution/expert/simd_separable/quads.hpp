#pragma once

#include <algorithm>
#include <cstdint>

#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "ladder/parts/separable.hpp"
#include "sums.hpp"
#include "tiling.hpp"

// Windows of 5x5 bytes with integer weights of 8 bits: one instruction (vpdpbusd) multiplies four
// bytes by four weights and adds the products to a 32-bit sum. For AVX-512 with VNNI and VBMI.

namespace convolution {

/// The weights of a 5x5 mask, four to an integer: `rows` has the first four columns of each row,
/// `column` the first four rows of the last column, `last` the last weight.
struct Quads {
    static constexpr int size = 5;

    std::int32_t rows[size] = {};
    std::int32_t column = 0;
    std::int32_t last = 0;

    explicit Quads(const Decomposition& mask) {
        if (mask.size != size) return;
        const auto of = [&](int first, int distance) {
            std::uint32_t quad = 0;
            for (int i = 0; i < 4; ++i) {
                const auto weight = static_cast<int>(mask.weights[first + i * distance]);
                quad |= static_cast<std::uint32_t>(weight & 255) << (8 * i);
            }
            return static_cast<std::int32_t>(quad);
        };
        for (int i = 0; i < size; ++i) rows[i] = of(size * i, 1);
        column = of(size - 1, size);
        last = static_cast<std::int32_t>(mask.weights[size * size - 1]) << 24;
    }

    /// Returns true for a mask with 16-bit sums whose weights fit in 8 bits and which is not
    /// separable.
    static bool suit(const Decomposition& mask) {
        const auto fits = [](float weight) { return weight >= -128 && weight <= 127; };
        return mask.size == size && !mask.separable && mask.centre == 0 &&
               std::all_of(mask.weights, mask.weights + size * size, fits);
    }
};

#if defined(__x86_64__)

#define LABS_TARGET_QUADS "arch=x86-64-v4,avx512vbmi,avx512vnni"

/// The sums of `rows_at_once` rows, 64 at a time, given to `use(r, i, low, high)` in the order of
/// `interleave`, with 0 in place of those below.
template <class Use>
[[gnu::target(LABS_TARGET_QUADS)]] inline void sum_quads(const std::uint8_t* rows, int stride,
                                                         const Quads& quads, int count, Use use) {
    constexpr int size = Quads::size;
    constexpr int parts = 4;  // of 64 sums: the k-th has the k-th four of each 16
    alignas(64) std::uint8_t indices[64];
    for (int i = 0; i < 64; ++i) {
        indices[i] = static_cast<std::uint8_t>(i / 16 * 16 + i % 16 / 4 + i % 4 * stride);
    }
    const __m512i in_quads = _mm512_load_si512(indices);
    for (int i = 0; i < count; i += 64) {
        __m512i sums[rows_at_once][parts] = {};
#pragma GCC unroll 8
        for (int s = 0; s < size + rows_at_once - 1; ++s) {
#pragma GCC unroll 4
            for (int k = 0; k < parts; ++k) {
                const __m512i bytes = _mm512_loadu_si512(rows + i + s * pitch + 4 * k);
                const __m512i four = _mm512_maskz_permutexvar_epi8(~0ULL, in_quads, bytes);
#pragma GCC unroll 4
                for (int r = 0; r < rows_at_once; ++r) {
                    if (r > s || s >= r + size) continue;
                    sums[r][k] =
                        _mm512_dpbusd_epi32(sums[r][k], four, _mm512_set1_epi32(quads.rows[s - r]));
                }
            }
        }
        // The last column: four rows to an integer.
        const std::uint8_t* column = rows + i + (size - 1) * stride;
        __m512i low[size + 2], high[size + 2];  // two rows
        __m512i row = _mm512_loadu_si512(column);
#pragma GCC unroll 7
        for (int s = 0; s < size + 2; ++s) {
            const __m512i below = _mm512_loadu_si512(column + (s + 1) * pitch);
            low[s] = _mm512_unpacklo_epi8(row, below);
            high[s] = _mm512_unpackhi_epi8(row, below);
            row = below;
        }
#pragma GCC unroll 5
        for (int s = 0; s < size; ++s) {
            const __m512i four[parts] = {_mm512_unpacklo_epi16(low[s], low[s + 2]),
                                         _mm512_unpackhi_epi16(low[s], low[s + 2]),
                                         _mm512_unpacklo_epi16(high[s], high[s + 2]),
                                         _mm512_unpackhi_epi16(high[s], high[s + 2])};
#pragma GCC unroll 4
            for (int k = 0; k < parts; ++k) {
                if (s < rows_at_once) {
                    sums[s][k] =
                        _mm512_dpbusd_epi32(sums[s][k], four[k], _mm512_set1_epi32(quads.column));
                }
                if (s > 0) {
                    sums[s - 1][k] =
                        _mm512_dpbusd_epi32(sums[s - 1][k], four[k], _mm512_set1_epi32(quads.last));
                }
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows_at_once; ++r) {
            auto low_sums = (Words64)_mm512_packus_epi32(sums[r][0], sums[r][1]);
            auto high_sums = (Words64)_mm512_packus_epi32(sums[r][2], sums[r][3]);
            use(r, i, low_sums, high_sums);
        }
    }
}

#endif

}  // namespace convolution
