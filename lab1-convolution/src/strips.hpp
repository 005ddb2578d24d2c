#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// What moves bytes on the CPU: an image is worked on in strips of its rows, which stay in the
// caches.

namespace convolution {

// Widened to 16 bits, such a tile stays in an L1 cache of 48 KB; as floats it takes twice that.
inline constexpr int strip = 768;  // bytes of a row that are worked on at a time,
inline constexpr int band = 16;    // for so many rows together
inline constexpr int step = 64;    // loops run over whole steps, so that vectors need no remainder
inline constexpr std::ptrdiff_t worth_streaming = 1 << 22;  // bytes; fewer stay in the caches

constexpr int whole_steps(int count) {
    return (count + step - 1) / step * step;
}

/// Asks for the next strip of the rows [top, bottom), which begins at byte `begin`: the processor
/// does not guess where a strip goes on after so many others.
ALWAYS_INLINE inline void prefetch(common::ImageView<const std::uint8_t> in, int top, int bottom,
                                   std::ptrdiff_t begin) {
    constexpr std::ptrdiff_t line = 64;
    const std::ptrdiff_t end = std::min(begin + strip, in.row_length());
    for (int y = std::max(top, 0); y < std::min(bottom, in.height); ++y) {
        for (std::ptrdiff_t b = begin; b < end; b += line) __builtin_prefetch(in.row(y) + b);
    }
}

/// Copies to memory without reading it first and without keeping it in the caches; whole cache
/// lines only, since it takes long to write parts of a line past the caches.
inline void stream(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
    std::size_t done = 0;
#if defined(__SSE2__)
    constexpr std::size_t line = 64;
    const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % line;
    done = std::min(count, (line - misaligned) % line);
    std::memcpy(to, from, done);
    for (; done + line <= count; done += line) {
        for (std::size_t part = done; part < done + line; part += sizeof(__m128i)) {
            __m128i bytes;
            std::memcpy(&bytes, from + part, sizeof bytes);
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + part), bytes);
        }
    }
#endif
    std::memcpy(to + done, from + done, count - done);
}

}  // namespace convolution
