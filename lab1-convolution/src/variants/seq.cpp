// The definition, written down: for every value of the output, in order, the weighted sum of its
// neighbourhood. Three nested loops over rows, columns and channels, and two over the mask.
//
// Bound by arithmetic and its bookkeeping: per output value n*n multiply-adds, each with two
// comparisons and an address of its own. One core, no vector instructions.

#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

using common::ImageView;

static std::uint8_t weighted_sum(ImageView<const std::uint8_t> in, const Mask& mask, int x, int y,
                                 int c) {
    const int k = mask.radius();
    float sum = 0;
    for (int i = -k; i <= k; ++i) {
        for (int j = -k; j <= k; ++j) {
            const int nx = x + j;
            const int ny = y + i;
            if (nx < 0 || ny < 0 || nx >= in.width || ny >= in.height) continue;
            sum += static_cast<float>(in.at(nx, ny, c)) * mask.at(i + k, j + k);
        }
    }
    return to_pixel(sum);
}

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                out.at(x, y, c) = weighted_sum(in, options.mask, x, y, c);
            }
        }
    }
}

}  // namespace convolution
