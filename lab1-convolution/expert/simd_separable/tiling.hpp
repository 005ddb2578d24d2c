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

// Tiling for the caches, prefetch, and non-temporal stores.

namespace convolution {

// Unpacked to 16 bits, a tile fits an L1 cache of 48 KB; as floats it takes twice that.
inline constexpr int tile_width = 768;  // bytes
inline constexpr int tile_height = 16;
inline constexpr int step = 64;  // loops run over whole steps, so vectors have no remainder
inline constexpr int cache_line = 64;
inline constexpr std::ptrdiff_t worth_streaming = 1 << 22;  // bytes; fewer fit the caches

constexpr int whole_steps(int count) {
    return (count + step - 1) / step * step;
}

/// Prefetches the next tile of rows [top, bottom), which begins at byte `begin`: the hardware
/// prefetcher does not follow so many rows.
ALWAYS_INLINE inline void prefetch(common::ImageView<const std::uint8_t> in, int top, int bottom,
                                   std::ptrdiff_t begin) {
    constexpr std::ptrdiff_t line = cache_line;
    const std::ptrdiff_t end = std::min(begin + tile_width, in.row_length());
    for (int y = std::max(top, 0); y < std::min(bottom, in.height); ++y) {
        for (std::ptrdiff_t b = begin; b < end; b += line) __builtin_prefetch(in.row(y) + b);
    }
}

/// The way in which a tile's rows are stored in the output.
struct Output {
    std::ptrdiff_t row_length;
    bool streams;  ///< with non-temporal stores: the output does not fit the caches
    bool aligned;  ///< rows and tiles begin at cache lines

    explicit Output(common::ImageView<std::uint8_t> out)
        : row_length(out.row_length()),
          streams(out.height * row_length >= worth_streaming),
          aligned(reinterpret_cast<std::uintptr_t>(out.data) % cache_line == 0 &&
                  out.pitch % cache_line == 0) {}

    /// The number of bytes after a tile's `end` that have to be computed, too: the rest of its last
    /// cache line. A line that two tiles write in part cannot be streamed.
    int overhang(std::ptrdiff_t end) const {
        if (!streams || aligned) return 0;
        return static_cast<int>(std::min<std::ptrdiff_t>(cache_line, row_length - end));
    }

    /// The start of the first cache line at byte `x` of the row or later; or the row's end.
    std::ptrdiff_t line_from(const std::uint8_t* row, std::ptrdiff_t x) const {
        const auto into =
            static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(row + x) % cache_line);
        return std::min(x + (cache_line - into) % cache_line, row_length);
    }
};

/// Copies with non-temporal stores, which neither read the target nor keep it in the caches; whole
/// cache lines only, because partial ones are slow.
inline void stream(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
    std::size_t done = 0;
#if defined(__SSE2__)
    constexpr std::size_t line = cache_line;
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

/// Stores bytes [begin, end) of a row. `from` has these bytes and the overhang.
inline void store_row(const Output& output, std::uint8_t* row, const std::uint8_t* from,
                      std::ptrdiff_t begin, std::ptrdiff_t end) {
    if (!output.streams) {
        std::memcpy(row + begin, from, static_cast<std::size_t>(end - begin));
        return;
    }
    const std::ptrdiff_t first = begin == 0 ? 0 : output.line_from(row, begin);
    const std::ptrdiff_t last = output.line_from(row, end);
    stream(row + first, from + (first - begin), static_cast<std::size_t>(last - first));
}

}  // namespace convolution
