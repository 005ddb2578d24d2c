#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/view.hpp"

// Lines whose addresses differ by a multiple of 4 KB share a set of the L1 cache, which has room
// for few of them. If the pitch of an image is near 4 KB (1366 pixels of three bytes), so do the
// lines of all rows, and if it is near 6 KB, those of every second row.

namespace convolution {

/// The lines that a set has room for: 12 in current CPUs; 8 in older ones, and where it is unknown.
inline int l1_ways() {
    static const long ways = sysconf(_SC_LEVEL1_DCACHE_ASSOC);
    return ways > 0 ? static_cast<int>(ways) : 8;
}

/// The height of a tile of strips: `most` rows, or a half, a quarter, … of them, at least 4, such
/// that the lines of a strip of the input and of the output fit `ways` lines per set. `size` is
/// that of the mask. If the pitches are multiples of 256 bytes, 16 rows at most: higher tiles take
/// up to twice the time (designs.md).
inline int rows_in_l1(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                      int size, int most, int ways) {
    constexpr std::uintptr_t line_bytes = 64, sets = 64;
    const bool spaced = in.pitch % 256 == 0 && out.pitch % 256 == 0;
    int rows = spaced ? std::min(most, 16) : most;
    for (; rows > 4; rows /= 2) {
        std::array<int, sets> lines{};
        const auto count = [&](const std::uint8_t* data, std::ptrdiff_t row_pitch, int number) {
            for (int r = 0; r < number; ++r) {
                const auto address = reinterpret_cast<std::uintptr_t>(data + r * row_pitch);
                ++lines[address / line_bytes % sets];  // a vector is in two, unless it is aligned
                ++lines[(address / line_bytes + 1) % sets];
            }
        };
        count(in.data, in.pitch, rows + size - 1);
        count(out.data, out.pitch, rows);
        if (*std::ranges::max_element(lines) <= ways) break;
    }
    return rows;
}

}  // namespace convolution
