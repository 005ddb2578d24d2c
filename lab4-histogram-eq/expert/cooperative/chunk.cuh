#pragma once

#include "common/view.hpp"

namespace equalize {

/// Pixels of a row that a thread loads or stores at once.
constexpr int chunk = 16;

/// Of all rows; the last of a row may be cut short.
inline std::int64_t chunks_of(common::DeviceView<const std::uint8_t> image) {
    return std::int64_t{(image.width - 1) / chunk + 1} * image.height;
}

/// Stores the first pixels of a chunk, fewer than all: eight, four, two and one of them.
static __device__ void store_part(std::uint8_t* to, uint4 pixels, int count) {
    if (count & 8) {
        *reinterpret_cast<uint2*>(to) = {pixels.x, pixels.y};
        to += 8;
        pixels.x = pixels.z;
        pixels.y = pixels.w;
    }
    if (count & 4) {
        *reinterpret_cast<unsigned*>(to) = pixels.x;
        to += 4;
        pixels.x = pixels.y;
    }
    if (count & 2) {
        *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(pixels.x);
        to += 2;
        pixels.x >>= 16;
    }
    if (count & 1) *to = static_cast<std::uint8_t>(pixels.x);
}

}  // namespace equalize
