#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "problem/variant.hpp"

namespace convolution {

/// Bytes [begin, end) of row y, as seq computes them: for windows that leave the image.
inline void convolve_at_edge(common::ImageView<const std::uint8_t> in,
                             common::ImageView<std::uint8_t> out, const Mask& mask, int y,
                             std::ptrdiff_t begin, std::ptrdiff_t end) {
    const int k = mask.radius();
    for (std::ptrdiff_t b = begin; b < end; ++b) {
        const int x = static_cast<int>(b / in.channels);
        float sum = 0;
        for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
            for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                const std::ptrdiff_t shift = static_cast<std::ptrdiff_t>(j) * in.channels;
                sum += static_cast<float>(in.row(y + i)[b + shift]) * mask.at(i + k, j + k);
            }
        }
        out.row(y)[b] = to_pixel(sum);
    }
}

/// Divides the rows among threads. Calls `interior(y, begin, end)` for the bytes [begin, end) of
/// row y whose windows lie inside the image, and computes the others as seq does.
template <class Interior>
void convolve_rows(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                   const Options& options, Interior interior) {
    const int k = options.mask.radius();
    const std::ptrdiff_t length = in.row_length();
    const std::ptrdiff_t halo = static_cast<std::ptrdiff_t>(k) * in.channels;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        const bool rows_inside = y >= k && y < in.height - k;
        if (!rows_inside || length <= 2 * halo) {
            convolve_at_edge(in, out, options.mask, y, 0, length);
            continue;
        }
        convolve_at_edge(in, out, options.mask, y, 0, halo);
        interior(y, halo, length - halo);
        convolve_at_edge(in, out, options.mask, y, length - halo, length);
    }
}

}  // namespace convolution
