#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/variant.hpp"
#include "problem/mask.hpp"

namespace convolution {

/// The input of a variant besides the image.
struct Options : common::RunOptions {
    Mask mask;
};

/// A variant convolves `in` with options.mask into `out`, which has the same size and channels.
using Variant = common::Variant<std::uint8_t, std::uint8_t, Options>;
using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

/// The rows that a rank needs of the rank above, and of the one below.
inline int halo_rows(const Options& options) {
    return options.mask.radius();
}

/// A weighted sum as a pixel value: clamped to 0..255, then truncated.
constexpr std::uint8_t to_pixel(float sum) {
    return static_cast<std::uint8_t>(std::clamp(sum, 0.0f, 255.0f));
}

}  // namespace convolution
