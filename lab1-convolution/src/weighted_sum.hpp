#pragma once

#include <cstdint>

#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

/// The definition for one value of the output: the weighted sum of the neighbourhood of channel `c`
/// of pixel (x, y), without the neighbours outside the image, as a pixel value. The variants that
/// differ only in who computes which value share it, on the CPU and in kernels.
template <common::Memory Where>
constexpr std::uint8_t weighted_sum(common::View<const std::uint8_t, Where> in, const Mask& mask,
                                    int x, int y, int c) {
    const int k = mask.radius();
    float sum = 0;
    for (int i = -k; i <= k; ++i) {
        const int ny = y + i;
        if (ny < 0 || ny >= in.height) continue;
        for (int j = -k; j <= k; ++j) {
            const int nx = x + j;
            if (nx < 0 || nx >= in.width) continue;
            sum += static_cast<float>(in.at(nx, ny, c)) * mask.at(i + k, j + k);
        }
    }
    return to_pixel(sum);
}

}  // namespace convolution
