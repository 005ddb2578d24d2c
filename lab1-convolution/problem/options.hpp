#pragma once

#include <algorithm>
#include <cstdint>

#include "common/options.hpp"
#include "mask.hpp"

namespace convolution {

/// What a variant is told besides the image.
struct Options : common::RunOptions {
    Mask mask;
};

/// A weighted sum as a pixel value: clamped to 0..255, then truncated.
constexpr std::uint8_t to_pixel(float sum) {
    return static_cast<std::uint8_t>(std::clamp(sum, 0.0f, 255.0f));
}

}  // namespace convolution
