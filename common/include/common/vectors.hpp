#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/instruction_sets.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// SIMD vectors of any size, by the vector extensions of g++ and clang: +, *, >> and comparisons
// work on all lanes, with the instructions of the CPU for which the calling function is compiled,
// NEON among them. C++ has no operator for some instructions, and g++ 12 makes several instructions
// of a conversion to wider lanes: these have functions below, with overloads for the vectors of
// x86-64. The compiler inlines an overload into functions for the same instruction set or a larger
// one. Vectors are passed by reference: how one is passed by value depends on the instruction set.

namespace common {

/// A SIMD register of so many bytes.
template <class Value, int Bytes>
using Vector [[gnu::vector_size(Bytes)]] = Value;

/// Its SIMD lanes.
template <int Bytes, class Value>
inline constexpr int lanes = Bytes / sizeof(Value);

inline constexpr int cache_line = 64;

using Bytes16 = Vector<std::uint8_t, 16>;
using Bytes32 = Vector<std::uint8_t, 32>;
using Bytes64 = Vector<std::uint8_t, 64>;
using Words16 = Vector<std::uint16_t, 16>;
using Words32 = Vector<std::uint16_t, 32>;
using Words64 = Vector<std::uint16_t, 64>;
using Ints16 = Vector<std::int32_t, 16>;
using Ints32 = Vector<std::int32_t, 32>;
using Ints64 = Vector<std::int32_t, 64>;
using Longs32 = Vector<std::int64_t, 32>;
using Longs64 = Vector<std::int64_t, 64>;
using Floats16 = Vector<float, 16>;
using Floats32 = Vector<float, 32>;
using Floats64 = Vector<float, 64>;

template <class To>
ALWAYS_INLINE inline void load(To& vector, const void* from) {
    std::memcpy(&vector, from, sizeof vector);
}

/// Has the vector in a register from here on. Without this, g++ loads it again for each instruction
/// that may have an operand in memory.
template <class Lanes>
ALWAYS_INLINE inline void keep_in_register([[maybe_unused]] Lanes& vector) {
#if defined(__x86_64__)
    if constexpr (sizeof vector == 64) {
        asm("" : "+v"(vector));
    } else {
        asm("" : "+x"(vector));
    }
#endif
}

/// Has the values in memory from here on, and not computed again where they are used.
template <class Value>
ALWAYS_INLINE inline void keep_in_memory(Value* values) {
    asm("" : : "r"(values) : "memory");
}

/// As many values as the vector has lanes, converted to its type.
template <class Values, class Value>
ALWAYS_INLINE inline void load_values(Values& values, const Value* from) {
    Vector<Value, static_cast<int>(sizeof values / sizeof values[0] * sizeof(Value))> loaded;
    load(loaded, from);
    values = __builtin_convertvector(loaded, Values);
}

/// result[i] = lane indices[i] of `first`, or behind these of `second`.
template <class Lanes>
ALWAYS_INLINE inline void select_lanes(const Lanes& first, const Lanes& second,
                                       const Lanes& indices, Lanes& result) {
    constexpr int count = sizeof first / sizeof first[0];
    for (int i = 0; i < count; ++i) {
        const auto from = indices[i];
        result[i] = from < count ? first[from] : second[from - count];
    }
}

/// values = the upper 16 bits of values * factor.
template <class Values>
ALWAYS_INLINE inline void multiply_high(Values& values, std::uint16_t factor) {
    constexpr int count = sizeof values / sizeof values[0];
    for (int i = 0; i < count; ++i) {
        values[i] = static_cast<std::uint16_t>(std::uint32_t{values[i]} * factor >> 16);
    }
}

/// The bytes of two vectors in turns, as pairs. `low` has those of the first half of each 16 bytes,
/// `high` those of the second. Where `second` is zero, they are the bytes of `first` as words.
inline void interleave(const Bytes16& first, const Bytes16& second, Words16& low, Words16& high) {
    low = (Words16)__builtin_shufflevector(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                           6, 22, 7, 23);
    high = (Words16)__builtin_shufflevector(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                            29, 14, 30, 15, 31);
}

/// True if the CPU multiplies pairs of bytes: `add_products` is an instruction and an addition.
template <int Bytes>
#if defined(__SSE4_1__)
inline constexpr bool multiplies_pairs = true;
#else
inline constexpr bool multiplies_pairs = Bytes > 16;
#endif

/// sum += first * a + second * b for each pair, where `weights` has a and b as bytes with a sign.
inline void add_products(Words16& sum, const Words16& pairs, std::uint16_t weights) {
#if defined(__SSE4_1__)
    const __m128i factors = _mm_set1_epi16(static_cast<short>(weights));
    sum += (Words16)_mm_maddubs_epi16((__m128i)pairs, factors);
#else
    const auto a = static_cast<std::uint16_t>(static_cast<std::int8_t>(weights & 255));
    const auto b = static_cast<std::uint16_t>(static_cast<std::int8_t>(weights >> 8));
    sum += (pairs & 255) * a + (pairs >> 8) * b;
#endif
}

/// Undoes `interleave`. Words are integers with a sign, clamped to 0..255.
inline void store_packed(const Words16& low, const Words16& high, std::uint8_t* to) {
#if defined(__x86_64__)
    _mm_storeu_si128((__m128i_u*)to, _mm_packus_epi16((__m128i)low, (__m128i)high));
#else
    using Bytes8 = Vector<std::uint8_t, 8>;
    using Signed16 = Vector<std::int16_t, 16>;
    const auto pack = [](Signed16 words) {
        words = words > 0 ? words : Signed16{};
        return __builtin_convertvector(words < 255 ? words : Signed16{} + 255, Bytes8);
    };
    const Bytes8 packed[] = {pack((Signed16)low), pack((Signed16)high)};
    std::memcpy(to, packed, sizeof packed);
#endif
}

/// The integers of as many vectors as fill one with bytes, clamped to 0..255. Words are up to
/// 32767.
template <class Integers>
ALWAYS_INLINE inline void store_clamped(const Integers* values, std::uint8_t* to) {
    constexpr int vectors = sizeof values[0][0];
    using Fewer = Vector<std::uint8_t, sizeof(Integers) / vectors>;
    for (int v = 0; v < vectors; ++v) {
        Integers each = values[v] > 0 ? values[v] : Integers{};
        each = each < 255 ? each : Integers{} + 255;
        const Fewer bytes = __builtin_convertvector(each, Fewer);
        std::memcpy(to + v * sizeof bytes, &bytes, sizeof bytes);
    }
}

/// See `stream` below.
template <class Bytes>
ALWAYS_INLINE inline void stream_bytes(void* to, const Bytes& bytes) {
    std::memcpy(to, &bytes, sizeof bytes);
}

/// Orders the streams of this thread before its later stores.
inline void fence_streams() {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#if defined(__x86_64__)

// --- SSE2, and SSE4.1 where the file is compiled for it ---------------------------------------

inline void load_values(Words16& values, const std::uint8_t* from) {
    values = (Words16)_mm_unpacklo_epi8(_mm_loadu_si64(from), _mm_setzero_si128());
}
#if defined(__SSE4_1__)
inline void load_values(Floats16& values, const std::uint8_t* from) {
    values = (Floats16)_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_loadu_si32(from)));
}
#endif
inline void multiply_high(Words16& values, std::uint16_t factor) {
    const __m128i factors = _mm_set1_epi16(static_cast<short>(factor));
    values = (Words16)_mm_mulhi_epu16((__m128i)values, factors);
}
inline void store_clamped(const Ints16* values, std::uint8_t* to) {
    const __m128i low = _mm_packs_epi32((__m128i)values[0], (__m128i)values[1]);
    const __m128i high = _mm_packs_epi32((__m128i)values[2], (__m128i)values[3]);
    _mm_storeu_si128((__m128i_u*)to, _mm_packus_epi16(low, high));
}
inline void store_clamped(const Words16* values, std::uint8_t* to) {
    _mm_storeu_si128((__m128i_u*)to, _mm_packus_epi16((__m128i)values[0], (__m128i)values[1]));
}
inline void stream_bytes(void* to, const Bytes16& bytes) {
    _mm_stream_si128((__m128i*)to, (__m128i)bytes);
}

// --- AVX2 ------------------------------------------------------------------------------------

#define LABS_AVX2 [[gnu::target("arch=x86-64-v3")]] inline

LABS_AVX2 void load_values(Words32& values, const std::uint8_t* from) {
    values = (Words32)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i_u*)from));
}
LABS_AVX2 void load_values(Floats32& values, const std::uint8_t* from) {
    values = (Floats32)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadu_si64(from)));
}
LABS_AVX2 void load_values(Longs32& values, const std::int32_t* from) {
    values = (Longs32)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i_u*)from));
}
LABS_AVX2 void multiply_high(Words32& values, std::uint16_t factor) {
    const __m256i factors = _mm256_set1_epi16(static_cast<short>(factor));
    values = (Words32)_mm256_mulhi_epu16((__m256i)values, factors);
}
LABS_AVX2 void interleave(const Bytes32& first, const Bytes32& second, Words32& low,
                          Words32& high) {
    low = (Words32)_mm256_unpacklo_epi8((__m256i)first, (__m256i)second);
    high = (Words32)_mm256_unpackhi_epi8((__m256i)first, (__m256i)second);
}
LABS_AVX2 void add_products(Words32& sum, const Words32& pairs, std::uint16_t weights) {
    const __m256i factors = _mm256_set1_epi16(static_cast<short>(weights));
    sum += (Words32)_mm256_maddubs_epi16((__m256i)pairs, factors);
}
LABS_AVX2 void store_packed(const Words32& low, const Words32& high, std::uint8_t* to) {
    _mm256_storeu_si256((__m256i_u*)to, _mm256_packus_epi16((__m256i)low, (__m256i)high));
}
LABS_AVX2 void store_clamped(const Ints32* values, std::uint8_t* to) {
    const __m256i low = _mm256_packs_epi32((__m256i)values[0], (__m256i)values[1]);
    const __m256i high = _mm256_packs_epi32((__m256i)values[2], (__m256i)values[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);  // each half was packed alone
    _mm256_storeu_si256((__m256i_u*)to,
                        _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order));
}
LABS_AVX2 void store_clamped(const Words32* values, std::uint8_t* to) {
    const __m256i packed = _mm256_packus_epi16((__m256i)values[0], (__m256i)values[1]);
    _mm256_storeu_si256((__m256i_u*)to, _mm256_permute4x64_epi64(packed, 0b11'01'10'00));
}
LABS_AVX2 void stream_bytes(void* to, const Bytes32& bytes) {
    _mm256_stream_si256((__m256i*)to, (__m256i)bytes);
}

// --- AVX-512. g++ 12 warns of some of its functions unless they have a mask. ------------------

#define LABS_AVX512 [[gnu::target("arch=x86-64-v4")]] inline

LABS_AVX512 void load_values(Words64& values, const std::uint8_t* from) {
    values = (Words64)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i_u*)from));
}
LABS_AVX512 void load_values(Floats64& values, const std::uint8_t* from) {
    const __m128i pixels = _mm_loadu_si128((const __m128i_u*)from);
    const __m512i ints = _mm512_maskz_cvtepu8_epi32(0xffff, pixels);
    values = __builtin_convertvector((Ints64)ints, Floats64);
}
LABS_AVX512 void load_values(Longs64& values, const std::int32_t* from) {
    const __m256i ints = _mm256_loadu_si256((const __m256i_u*)from);
    values = (Longs64)_mm512_maskz_cvtepi32_epi64(0xff, ints);
}
LABS_AVX512 void select_lanes(const Ints64& first, const Ints64& second, const Ints64& indices,
                              Ints64& result) {
    result = (Ints64)_mm512_permutex2var_epi32((__m512i)first, (__m512i)indices, (__m512i)second);
}
LABS_AVX512 void select_lanes(const Longs64& first, const Longs64& second, const Longs64& indices,
                              Longs64& result) {
    result = (Longs64)_mm512_permutex2var_epi64((__m512i)first, (__m512i)indices, (__m512i)second);
}
LABS_AVX512 void multiply_high(Words64& values, std::uint16_t factor) {
    const __m512i factors = _mm512_set1_epi16(static_cast<short>(factor));
    values = (Words64)_mm512_mulhi_epu16((__m512i)values, factors);
}
LABS_AVX512 void interleave(const Bytes64& first, const Bytes64& second, Words64& low,
                            Words64& high) {
    low = (Words64)_mm512_unpacklo_epi8((__m512i)first, (__m512i)second);
    high = (Words64)_mm512_unpackhi_epi8((__m512i)first, (__m512i)second);
}
LABS_AVX512 void add_products(Words64& sum, const Words64& pairs, std::uint16_t weights) {
    const __m512i factors = _mm512_set1_epi16(static_cast<short>(weights));
    sum += (Words64)_mm512_maddubs_epi16((__m512i)pairs, factors);
}
LABS_AVX512 void store_packed(const Words64& low, const Words64& high, std::uint8_t* to) {
    _mm512_storeu_si512(to, _mm512_packus_epi16((__m512i)low, (__m512i)high));
}
LABS_AVX512 void store_clamped(const Ints64* values, std::uint8_t* to) {
    const __m512i low = _mm512_packs_epi32((__m512i)values[0], (__m512i)values[1]);
    const __m512i high = _mm512_packs_epi32((__m512i)values[2], (__m512i)values[3]);
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_storeu_si512(
        to, _mm512_maskz_permutexvar_epi32(0xffff, order, _mm512_packus_epi16(low, high)));
}
LABS_AVX512 void store_clamped(const Words64* values, std::uint8_t* to) {
    const __m512i packed = _mm512_packus_epi16((__m512i)values[0], (__m512i)values[1]);
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_storeu_si512(to, _mm512_maskz_permutexvar_epi64(0xff, order, packed));
}
LABS_AVX512 void stream_bytes(void* to, const Bytes64& bytes) {
    _mm512_stream_si512((__m512i*)to, (__m512i)bytes);
}

#undef LABS_AVX2
#undef LABS_AVX512

#endif

/// Stores an aligned vector past the caches, where the CPU can: an ordinary store to a line that is
/// not cached first reads the line that it overwrites.
template <class Lanes>
ALWAYS_INLINE inline void stream(void* to, const Lanes& vector) {
    stream_bytes(to, (Vector<std::uint8_t, static_cast<int>(sizeof vector)>)vector);
}

/// Streams a cache line.
template <int Bytes>
ALWAYS_INLINE inline void stream_line(std::uint8_t* to, const std::uint8_t* from) {
    for (int part = 0; part < cache_line; part += Bytes) {
        Vector<std::uint8_t, Bytes> bytes;
        load(bytes, from + part);
        stream(to + part, bytes);
    }
}

}  // namespace common
