#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/view.hpp"
#include "options.hpp"

namespace upscale {

/// The weighted mean that the definition asks for, of all channels of a pixel: `tap(i, j)` gives
/// the source pixel that lies i taps along the row and j along the column, as floats. The variants
/// that compute one output pixel at a time share this function, on the CPU and in kernels; they
/// differ in who computes which pixel, and in how a tap is fetched.
///
/// The sum of each row is finished before it is weighted: that takes one multiplication per tap
/// instead of two, and loses less to rounding than adding up all products. A tap serves all
/// channels, whose sums are in registers if `Channels` is known to the compiler.
template <int Channels, class Tap>
constexpr std::array<float, Channels> weighted_mean(const Weights& weights, Tap tap) {
    std::array<float, Channels> sum{};
    for (int j = -weights.radius; j <= weights.radius; ++j) {
        std::array<float, Channels> row{};
        for (int i = -weights.radius; i <= weights.radius; ++i) {
            const std::array<float, Channels> pixel = tap(i, j);
            for (int c = 0; c < Channels; ++c) row[c] += pixel[c] * weights.at(i);
        }
        for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights.at(j);
    }
    return sum;
}

/// The definition for channel c of output pixel (X, Y). Coordinates outside the image mean its
/// nearest pixel.
constexpr std::uint8_t upscaled(common::ImageView<const std::uint8_t> in, const Weights& weights,
                                int X, int Y, int c) {
    const auto tap = [&](int i, int j) {
        const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
        const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
        return std::array{static_cast<float>(in.at(x, y, c))};
    };
    return to_pixel(weighted_mean<1>(weights, tap)[0]);
}

}  // namespace upscale
