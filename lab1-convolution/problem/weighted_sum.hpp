#pragma once

#include <algorithm>
#include <cstdint>

#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

/// The definition for one value of the output: the weighted sum of the neighbourhood of channel `c`
/// of pixel (x, y), as a pixel value. Neighbours outside the image are skipped: the loops begin and
/// end at its edge. The variants that differ only in who computes which value share this function,
/// on the CPU and in kernels.
template <common::Memory Where>
constexpr std::uint8_t weighted_sum(common::View<const std::uint8_t, Where> in, const Mask& mask,
                                    int x, int y, int c) {
    const int k = mask.radius();
    float sum = 0;
    for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
        for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
            sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
        }
    }
    return to_pixel(sum);
}

}  // namespace convolution
