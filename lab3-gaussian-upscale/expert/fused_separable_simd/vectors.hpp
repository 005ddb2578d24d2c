#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "common/instruction_sets.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// SIMD vectors of any size. GCC 12 makes many instructions of a conversion between lanes of
// different sizes, so the conversions have overloads for the vectors of x86-64. GCC inlines an
// overload into functions for the same instruction set or a larger one.

namespace upscale {

/// A SIMD register of so many bytes.
template <class Value, int Bytes>
using Vector [[gnu::vector_size(Bytes)]] = Value;

using Floats16 = Vector<float, 16>;
using Floats32 = Vector<float, 32>;
using Floats64 = Vector<float, 64>;
template <int Bytes>
using Four = std::array<Vector<int, Bytes>, 4>;

// By reference: how a vector is passed by value depends on the instruction set.
template <class To>
ALWAYS_INLINE inline void load(To& vector, const void* from) {
    std::memcpy(&vector, from, sizeof vector);
}

/// As many pixels as the vector has lanes.
template <class Values>
ALWAYS_INLINE inline void load_pixels(Values& values, const std::uint8_t* from) {
    Vector<std::uint8_t, sizeof values / sizeof values[0]> pixels;
    load(pixels, from);
    values = __builtin_convertvector(pixels, Values);
}

/// Clamps the values of four vectors to 0..255, and stores them as bytes.
template <int Bytes>
ALWAYS_INLINE inline void store_pixels(const Four<Bytes>& values, std::uint8_t* to) {
    for (std::size_t v = 0; v < 4; ++v) {
        for (int i = 0; i < Bytes / 4; ++i) {
            *to++ = static_cast<std::uint8_t>(std::clamp(values[v][i], 0, 255));
        }
    }
}

/// Writes a cache line by non-temporal stores, which neither read it nor keep it in the caches.
template <int Bytes>
inline void stream_line(std::uint8_t* to, const std::uint8_t* from) {
    std::memcpy(to, from, 64);
}

// Three shuffles for the 48 bytes of eight pairs of colour pixels: the first of the 16 bytes that
// each one reads on both sides, and their order. Indices from 16 on select from the right.
inline constexpr int pair_begin[3] = {0, 6, 8};
inline constexpr std::uint8_t pair_order[3][16] = {
    {0, 1, 2, 16, 17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22},
    {17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22, 23, 24, 9, 10},
    {9, 23, 24, 25, 10, 11, 12, 26, 27, 28, 13, 14, 15, 29, 30, 31}};

/// Interleaves colour pixels of `left` and `right`. May write 31 pairs beyond the last.
template <int Bytes>
ALWAYS_INLINE inline void interleave_colours(const std::uint8_t* left, const std::uint8_t* right,
                                             int pixels, std::uint8_t* line) {
    using Bytes16 = Vector<std::uint8_t, 16>;
    for (int x = 0; x < pixels; x += 8) {
        for (int third = 0; third < 3; ++third) {
            Bytes16 from_left, from_right, order;
            load(from_left, left + 3 * x + pair_begin[third]);
            load(from_right, right + 3 * x + pair_begin[third]);
            load(order, pair_order[third]);
            const Bytes16 both = __builtin_shuffle(from_left, from_right, order);
            std::memcpy(line + 6 * x + 16 * third, &both, sizeof both);
        }
    }
}

#if defined(__x86_64__)

template <>
inline void store_pixels<16>(const Four<16>& values, std::uint8_t* to) {
    const __m128i low = _mm_packs_epi32((__m128i)values[0], (__m128i)values[1]);
    const __m128i high = _mm_packs_epi32((__m128i)values[2], (__m128i)values[3]);
    _mm_storeu_si128((__m128i_u*)to, _mm_packus_epi16(low, high));
}

template <>
inline void stream_line<16>(std::uint8_t* to, const std::uint8_t* from) {
    for (int part = 0; part < 64; part += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i_u*)(from + part));
        _mm_stream_si128((__m128i*)(to + part), bytes);
    }
}

[[gnu::target("arch=x86-64-v3")]] inline void load_pixels(Floats32& values,
                                                          const std::uint8_t* from) {
    values = (Floats32)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadu_si64(from)));
}

template <>
[[gnu::target("arch=x86-64-v3")]] inline void store_pixels<32>(const Four<32>& values,
                                                               std::uint8_t* to) {
    const __m256i low = _mm256_packs_epi32((__m256i)values[0], (__m256i)values[1]);
    const __m256i high = _mm256_packs_epi32((__m256i)values[2], (__m256i)values[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);  // each half was packed alone
    _mm256_storeu_si256((__m256i_u*)to,
                        _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order));
}

template <>
[[gnu::target("arch=x86-64-v3")]] inline void stream_line<32>(std::uint8_t* to,
                                                              const std::uint8_t* from) {
    for (int part = 0; part < 64; part += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i_u*)(from + part));
        _mm256_stream_si256((__m256i*)(to + part), bytes);
    }
}

[[gnu::target("arch=x86-64-v4")]] inline void load_pixels(Floats64& values,
                                                          const std::uint8_t* from) {
    const __m128i pixels = _mm_loadu_si128((const __m128i_u*)from);
    const __m512i ints = _mm512_maskz_cvtepu8_epi32(0xffff, pixels);  // GCC 12 warns without a mask
    values = __builtin_convertvector((Vector<int, 64>)ints, Floats64);
}

template <>
[[gnu::target("arch=x86-64-v4")]] inline void store_pixels<64>(const Four<64>& values,
                                                               std::uint8_t* to) {
    const __m512i low = _mm512_packs_epi32((__m512i)values[0], (__m512i)values[1]);
    const __m512i high = _mm512_packs_epi32((__m512i)values[2], (__m512i)values[3]);
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_storeu_si512(
        to, _mm512_maskz_permutexvar_epi32(0xffff, order, _mm512_packus_epi16(low, high)));
}

template <>
[[gnu::target("arch=x86-64-v4")]] inline void stream_line<64>(std::uint8_t* to,
                                                              const std::uint8_t* from) {
    _mm512_stream_si512((__m512i*)to, _mm512_loadu_si512(from));
}

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

template <>
[[gnu::target("arch=x86-64-v4")]] inline void interleave_colours<64>(const std::uint8_t* left,
                                                                     const std::uint8_t* right,
                                                                     int pixels,
                                                                     std::uint8_t* line) {
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
