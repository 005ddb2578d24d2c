#pragma once

#include <algorithm>
#include <cstdint>

#include "ladder/parts/word_histograms.hpp"
#include "problem/table.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// The look-up of a row with one load per pixel, and in vector registers.

namespace equalize {

/// Looks up `width` pixels; `streamed` asks for non-temporal stores, if there are such.
using LookUp = void(const std::uint8_t* in, std::uint8_t* out, int width, const Table& table,
                    bool streamed);

inline void look_up(const std::uint8_t* in, std::uint8_t* out, int width, const Table& table,
                    bool) {
    for (int x = 0; x < width; ++x) out[x] = table[in[x]];
}

#if defined(__x86_64__)

[[gnu::target("avx2")]] inline void look_up_avx2(const std::uint8_t* in, std::uint8_t* out,
                                                 int width, const Table& table, bool streamed) {
    constexpr int step = 32;
    if (width < 2 * step) return look_up(in, out, width, table, false);
    // vpshufb selects from 16 bytes by the low four bits of an index, and gives 0 where bit 7 is
    // set. Levels 0 to 127 index part 0 of the table, and minus 16 part 1, and so on, until they
    // become negative. Each part up to that of the level contributes, so a part holds its
    // difference (XOR) to the part below. Levels from 128 on index parts 8 to 15, with bit 7
    // inverted.
    __m256i parts[levels / 16];
    for (int i = 0; i < levels / 16; ++i) {
        const auto* values = reinterpret_cast<const __m128i*>(table.data()) + i;
        const __m128i below = i % 8 == 0 ? _mm_setzero_si128() : _mm_loadu_si128(values - 1);
        parts[i] = _mm256_broadcastsi128_si256(_mm_xor_si128(_mm_loadu_si128(values), below));
    }
    const int head = std::min(up_to_aligned(out, step), width);
    look_up(in, out, head, table, false);
    int x = head;
    for (; x <= width - step; x += step) {
        __m256i lower = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + x));
        __m256i upper = _mm256_xor_si256(lower, _mm256_set1_epi8(-128));
        __m256i values = _mm256_setzero_si256();
        for (int i = 0; i < 8; ++i) {
            values = _mm256_xor_si256(values, _mm256_shuffle_epi8(parts[i], lower));
            values = _mm256_xor_si256(values, _mm256_shuffle_epi8(parts[8 + i], upper));
            // Saturation keeps a negative index negative.
            lower = _mm256_subs_epi8(lower, _mm256_set1_epi8(16));
            upper = _mm256_subs_epi8(upper, _mm256_set1_epi8(16));
        }
        auto* to = reinterpret_cast<__m256i*>(out + x);
        streamed ? _mm256_stream_si256(to, values) : _mm256_store_si256(to, values);
    }
    look_up(in + x, out + x, width - x, table, false);
}

#endif

}  // namespace equalize
