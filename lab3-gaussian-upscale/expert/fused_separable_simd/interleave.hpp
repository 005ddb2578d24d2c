#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/vectors.hpp"

// The interleaving of the pixels of two phases.

namespace upscale {

// Three shuffles for the 48 bytes of eight pairs of colour pixels: the first of the 16 bytes that
// each one reads on both sides, and their order. Indices from 16 on select from the right.
inline constexpr int pair_begin[3] = {0, 6, 8};
inline constexpr std::uint8_t pair_order[3][16] = {
    {0, 1, 2, 16, 17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22},
    {17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22, 23, 24, 9, 10},
    {9, 23, 24, 25, 10, 11, 12, 26, 27, 28, 13, 14, 15, 29, 30, 31}};

/// One of these shuffles. (g++ and clang share only the one whose indices are constants.)
template <int Third, class Bytes, std::size_t... I>
ALWAYS_INLINE inline void interleave_third(const Bytes& left, const Bytes& right, Bytes& both,
                                           std::index_sequence<I...>) {
    both = __builtin_shufflevector(left, right, pair_order[Third][I]...);
}

/// Chooses the version for vectors of so many bytes.
template <int Bytes>
using VectorOf = std::integral_constant<int, Bytes>;

/// Interleaves colour pixels of `left` and `right`. May write 31 pairs beyond the last.
template <int Bytes>
ALWAYS_INLINE inline void interleave_colours(VectorOf<Bytes>, const std::uint8_t* left,
                                             const std::uint8_t* right, int pixels,
                                             std::uint8_t* line) {
    const auto third = [&]<int Third>(int x) ALWAYS_INLINE {
        common::Bytes16 from_left, from_right, both;
        common::load(from_left, left + 3 * x + pair_begin[Third]);
        common::load(from_right, right + 3 * x + pair_begin[Third]);
        interleave_third<Third>(from_left, from_right, both, std::make_index_sequence<16>{});
        std::memcpy(line + 6 * x + 16 * Third, &both, sizeof both);
    };
    for (int x = 0; x < pixels; x += 8) {
        third.template operator()<0>(x);
        third.template operator()<1>(x);
        third.template operator()<2>(x);
    }
}

#if defined(__x86_64__)

/// The same shuffles, four in a vector: twelve of them, in three vectors, for 32 pairs.
struct WidePairs {
    int begin[3];  ///< of the 64 bytes that each vector reads on both sides
    alignas(64) std::uint32_t words[3][16] = {};  ///< the words of 4 bytes that each lane reads
    alignas(64) std::uint8_t order[3][64] = {};   ///< of the bytes in its lane
    std::uint64_t from_right[3] = {};

    constexpr WidePairs() : begin{} {
        for (int lane = 0; lane < 12; ++lane) {
            const int vector = lane / 4;
            const int first = 24 * (lane / 3) + pair_begin[lane % 3];
            if (lane % 4 == 0) begin[vector] = first / 4 * 4;
            const int word = (first - begin[vector]) / 4;
            for (int i = 0; i < 4; ++i) {
                words[vector][lane % 4 * 4 + i] = static_cast<std::uint32_t>(word + i);
            }
            for (int i = 0; i < 16; ++i) {
                const int from = pair_order[lane % 3][i];
                const int at = lane % 4 * 16 + i;
                order[vector][at] = static_cast<std::uint8_t>(from % 16 + first % 4);
                from_right[vector] |= std::uint64_t{from >= 16} << at;
            }
        }
    }
};
inline constexpr WidePairs wide_pairs;

[[gnu::target("arch=x86-64-v4")]] inline void interleave_colours(VectorOf<64>,
                                                                 const std::uint8_t* left,
                                                                 const std::uint8_t* right,
                                                                 int pixels, std::uint8_t* line) {
    for (int x = 0; x < pixels; x += 32) {
        for (int v = 0; v < 3; ++v) {
            const __m512i words = _mm512_load_si512(wide_pairs.words[v]);
            const __m512i order = _mm512_load_si512(wide_pairs.order[v]);
            const int at = 3 * x + wide_pairs.begin[v];
            const __m512i lefts =
                _mm512_maskz_permutexvar_epi32(0xffff, words, _mm512_loadu_si512(left + at));
            const __m512i rights =
                _mm512_maskz_permutexvar_epi32(0xffff, words, _mm512_loadu_si512(right + at));
            const __m512i both = _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(lefts, order),
                                                          wide_pairs.from_right[v], rights, order);
            _mm512_storeu_si512(line + 6 * x + 64 * v, both);
        }
    }
}

#endif

}  // namespace upscale
