#pragma once

#include <algorithm>
#include <cstdint>

#include "common/view.hpp"
#include "options.hpp"

namespace upscale {

/// The definition for one value of the output: the weighted mean of the source pixels around the
/// place where output pixel (X, Y) lies. Coordinates outside the image mean its nearest pixel. The
/// variants that differ only in who computes which value share this function, on the CPU and in
/// kernels.
///
/// The sum of each row is finished before it is weighted: that takes one multiplication per tap
/// instead of two, and loses less to rounding than adding up all products.
template <common::Memory Where>
constexpr std::uint8_t upscaled(common::View<const std::uint8_t, Where> in, const Weights& weights,
                                int X, int Y, int c) {
    const int r = weights.radius;
    const int step_x = direction(X);
    const int step_y = direction(Y);
    float sum = 0;
    for (int j = -r; j <= r; ++j) {
        const int y = std::clamp(Y / 2 + j * step_y, 0, in.height - 1);
        float row = 0;
        for (int i = -r; i <= r; ++i) {
            const int x = std::clamp(X / 2 + i * step_x, 0, in.width - 1);
            row += static_cast<float>(in.at(x, y, c)) * weights.at(i);
        }
        sum += row * weights.at(j);
    }
    return to_pixel(sum);
}

}  // namespace upscale
