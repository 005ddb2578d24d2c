#pragma once

#include <cstdint>
#include <cstring>

#include "common/instruction_sets.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// SIMD vectors of any size. C++ has no operator for some instructions, and GCC 12 makes several
// instructions of a conversion to wider lanes, so these have overloads for the vectors of x86-64.
// GCC inlines an overload into functions for the same instruction set or a larger one.

namespace convolution {

/// A SIMD register of so many bytes.
template <class Value, int Bytes>
using Vector [[gnu::vector_size(Bytes)]] = Value;

/// Its SIMD lanes.
template <int Bytes, class Value>
static constexpr int lanes = Bytes / sizeof(Value);

using Bytes32 = Vector<std::uint8_t, 32>;
using Bytes64 = Vector<std::uint8_t, 64>;
using Words16 = Vector<std::uint16_t, 16>;
using Words32 = Vector<std::uint16_t, 32>;
using Words64 = Vector<std::uint16_t, 64>;
using Ints32 = Vector<std::int32_t, 32>;
using Ints64 = Vector<std::int32_t, 64>;
using Floats32 = Vector<float, 32>;
using Floats64 = Vector<float, 64>;

inline constexpr int cache_line = 64;

// By reference: how a vector is passed by value depends on the instruction set.
template <class To>
ALWAYS_INLINE inline void load(To& vector, const void* from) {
    std::memcpy(&vector, from, sizeof vector);
}

/// As many values as the vector has lanes, of the same type or pixels.
template <class Values, class Value>
ALWAYS_INLINE inline void load_values(Values& values, const Value* from) {
    load(values, from);
}
template <class Values>
ALWAYS_INLINE inline void load_values(Values& values, const std::uint8_t* from) {
    Vector<std::uint8_t, sizeof values / sizeof values[0]> pixels;
    load(pixels, from);
    values = __builtin_convertvector(pixels, Values);
}

/// values = the upper 16 bits of values * factor.
template <class Values>
ALWAYS_INLINE inline void multiply_high(Values& values, std::uint16_t factor) {
    constexpr int count = sizeof values / sizeof values[0];
    for (int i = 0; i < count; ++i) {
        values[i] = static_cast<std::uint16_t>(std::uint32_t{values[i]} * factor >> 16);
    }
}

/// Writes a cache line by non-temporal stores, which neither read it nor keep it in the caches.
template <int Bytes>
inline void stream_line(std::uint8_t* to, const std::uint8_t* from) {
    std::memcpy(to, from, cache_line);
}

#if defined(__x86_64__)

inline void load_values(Words16& values, const std::uint8_t* from) {
    values = (Words16)_mm_unpacklo_epi8(_mm_loadu_si64(from), _mm_setzero_si128());
}
inline void multiply_high(Words16& values, std::uint16_t factor) {
    const __m128i factors = _mm_set1_epi16(static_cast<short>(factor));
    values = (Words16)_mm_mulhi_epu16((__m128i)values, factors);
}

template <>
inline void stream_line<16>(std::uint8_t* to, const std::uint8_t* from) {
    for (int part = 0; part < cache_line; part += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(from + part));
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + part), bytes);
    }
}

[[gnu::target("arch=x86-64-v3")]] inline void load_values(Words32& values,
                                                          const std::uint8_t* from) {
    values = (Words32)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i_u*)from));
}
[[gnu::target("arch=x86-64-v3")]] inline void load_values(Floats32& values,
                                                          const std::uint8_t* from) {
    const __m256i ints = _mm256_cvtepu8_epi32(_mm_loadu_si64(from));
    values = __builtin_convertvector((Ints32)ints, Floats32);
}
[[gnu::target("arch=x86-64-v3")]] inline void multiply_high(Words32& values, std::uint16_t factor) {
    const __m256i factors = _mm256_set1_epi16(static_cast<short>(factor));
    values = (Words32)_mm256_mulhi_epu16((__m256i)values, factors);
}

// Weights of 8 bits: pairs of bytes are multiplied, and the products added, by one instruction.

/// The bytes of two rows in turns. `low` has the first half of each 16 bytes, `high` the second.
[[gnu::target("arch=x86-64-v3")]] inline void interleave(const Bytes32& row, const Bytes32& below,
                                                         Words32& low, Words32& high) {
    low = (Words32)_mm256_unpacklo_epi8((__m256i)row, (__m256i)below);
    high = (Words32)_mm256_unpackhi_epi8((__m256i)row, (__m256i)below);
}
/// sum += the products of each pair of bytes with those of `weights`, which have a sign.
[[gnu::target("arch=x86-64-v3")]] inline void add_products(Words32& sum, const Words32& pairs,
                                                           std::uint16_t weights) {
    const __m256i factors = _mm256_set1_epi16(static_cast<short>(weights));
    sum += (Words32)_mm256_maddubs_epi16((__m256i)pairs, factors);
}
/// Undoes `interleave` with values up to 255.
[[gnu::target("arch=x86-64-v3")]] inline void store_packed(const Words32& low, const Words32& high,
                                                           std::uint8_t* to) {
    _mm256_storeu_si256((__m256i_u*)to, _mm256_packus_epi16((__m256i)low, (__m256i)high));
}

template <>
[[gnu::target("arch=x86-64-v3")]] inline void stream_line<32>(std::uint8_t* to,
                                                              const std::uint8_t* from) {
    for (int part = 0; part < cache_line; part += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from + part));
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + part), bytes);
    }
}

[[gnu::target("arch=x86-64-v4")]] inline void load_values(Words64& values,
                                                          const std::uint8_t* from) {
    values = (Words64)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i_u*)from));
}
[[gnu::target("arch=x86-64-v4")]] inline void load_values(Floats64& values,
                                                          const std::uint8_t* from) {
    const __m128i pixels = _mm_loadu_si128((const __m128i_u*)from);
    const __m512i ints = _mm512_maskz_cvtepu8_epi32(0xffff, pixels);
    values = __builtin_convertvector((Ints64)ints, Floats64);
}
[[gnu::target("arch=x86-64-v4")]] inline void multiply_high(Words64& values, std::uint16_t factor) {
    const __m512i factors = _mm512_set1_epi16(static_cast<short>(factor));
    values = (Words64)_mm512_mulhi_epu16((__m512i)values, factors);
}

[[gnu::target("arch=x86-64-v4")]] inline void interleave(const Bytes64& row, const Bytes64& below,
                                                         Words64& low, Words64& high) {
    low = (Words64)_mm512_unpacklo_epi8((__m512i)row, (__m512i)below);
    high = (Words64)_mm512_unpackhi_epi8((__m512i)row, (__m512i)below);
}
[[gnu::target("arch=x86-64-v4")]] inline void add_products(Words64& sum, const Words64& pairs,
                                                           std::uint16_t weights) {
    const __m512i factors = _mm512_set1_epi16(static_cast<short>(weights));
    sum += (Words64)_mm512_maddubs_epi16((__m512i)pairs, factors);
}
[[gnu::target("arch=x86-64-v4")]] inline void store_packed(const Words64& low, const Words64& high,
                                                           std::uint8_t* to) {
    _mm512_storeu_si512(to, _mm512_packus_epi16((__m512i)low, (__m512i)high));
}

template <>
[[gnu::target("arch=x86-64-v4")]] inline void stream_line<64>(std::uint8_t* to,
                                                              const std::uint8_t* from) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
}

#endif

}  // namespace convolution
