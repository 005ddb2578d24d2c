#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/caches.hpp"
#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "common/view.hpp"

// Tiling for the caches, prefetch, and non-temporal stores.

namespace convolution {

using namespace common;  // its vectors

// Unpacked to 16 bits, a tile fits an L1 cache of 48 KB; as floats it takes twice that.
inline constexpr int tile_width = 768;  // bytes
inline constexpr int tile_height = 16;
inline constexpr int pitch = tile_width + 128;  // of buffers; room for a halo of 3 * 7 on each side
inline constexpr int parts_of_l3 = 8;           // one of which may hold an output
inline constexpr int step = 64;  // loops run over whole steps, so vectors have no remainder

/// Rows [top, bottom) and bytes [begin, end) of each.
struct Tile {
    int top;
    int bottom;
    std::ptrdiff_t begin;
    std::ptrdiff_t end;
};

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

/// The output, and the way in which rows are stored in it.
struct Output : common::ImageView<std::uint8_t> {
    bool streams;  ///< with non-temporal stores: the output does not fit the caches
    bool aligned;  ///< rows and tiles begin at cache lines

    Output(common::ImageView<std::uint8_t> out, const Limits& limits)
        : common::ImageView<std::uint8_t>(out),
          streams(exceeds_caches(out.height * out.row_length(), limits, parts_of_l3)),
          aligned(reinterpret_cast<std::uintptr_t>(out.data) % cache_line == 0 &&
                  out.pitch % cache_line == 0) {}

    /// The number of bytes after a tile's `end` that have to be computed, too: the rest of its last
    /// cache line. A line that two tiles write in part cannot be streamed.
    int overhang(std::ptrdiff_t end) const {
        if (!streams || aligned) return 0;
        return static_cast<int>(std::min<std::ptrdiff_t>(cache_line, row_length() - end));
    }

    /// The start of the first cache line at byte `x` of the row or later; or the row's end.
    std::ptrdiff_t line_from(const std::uint8_t* row, std::ptrdiff_t x) const {
        const auto into =
            static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(row + x) % cache_line);
        return std::min(x + (cache_line - into) % cache_line, row_length());
    }
};

/// Copies; whole cache lines by non-temporal stores.
template <int Bytes>
ALWAYS_INLINE inline void stream(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
    constexpr std::size_t line = cache_line;
    const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % line;
    std::size_t done = std::min(count, (line - misaligned) % line);
    std::memcpy(to, from, done);
    for (; done + line <= count; done += line) stream_line<Bytes>(to + done, from + done);
    std::memcpy(to + done, from + done, count - done);
}

/// Stores bytes [begin, end) of a row. `from` has these bytes and the overhang.
template <int Bytes>
ALWAYS_INLINE inline void store_row(Output output, std::uint8_t* row, const std::uint8_t* from,
                                    std::ptrdiff_t begin, std::ptrdiff_t end) {
    if (!output.streams) {
        std::memcpy(row + begin, from, static_cast<std::size_t>(end - begin));
        return;
    }
    const std::ptrdiff_t first = begin == 0 ? 0 : output.line_from(row, begin);
    const std::ptrdiff_t last = output.line_from(row, end);
    stream<Bytes>(row + first, from + (first - begin), static_cast<std::size_t>(last - first));
}

/// Copies bytes [begin, end) of row y, with zeros outside the image, which add nothing to a sum.
inline void copy_row(common::ImageView<const std::uint8_t> in, int y, std::ptrdiff_t begin,
                     std::ptrdiff_t end, std::uint8_t* to) {
    const std::ptrdiff_t first = std::max<std::ptrdiff_t>(begin, 0);
    const std::ptrdiff_t last = std::max(std::min(end, in.row_length()), first);
    if (y < 0 || y >= in.height) {
        std::fill_n(to, end - begin, std::uint8_t{0});
        return;
    }
    std::fill_n(to, first - begin, std::uint8_t{0});
    std::memcpy(to + (first - begin), in.row(y) + first, static_cast<std::size_t>(last - first));
    std::fill_n(to + (last - begin), end - last, std::uint8_t{0});
}

/// The same without a copy, if all bytes are inside the image; otherwise a copy in `spare`.
inline const std::uint8_t* source_row(common::ImageView<const std::uint8_t> in, int y,
                                      std::ptrdiff_t begin, std::ptrdiff_t end,
                                      std::uint8_t* spare) {
    const bool inside = y >= 0 && y < in.height && begin >= 0 && end <= in.row_length();
    if (inside) return in.row(y) + begin;
    copy_row(in, y, begin, end, spare);
    return spare;
}

}  // namespace convolution
