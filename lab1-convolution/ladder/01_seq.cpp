// The definition as loops: for every value of the output, the weighted sum of its neighbourhood.
// Neighbours outside the image are skipped: the loops over the mask begin and end at its edge.
//
// Bound by latency and instruction overhead: the n*n multiply-adds of a value depend on each other
// through the sum, and each needs an address and a conversion from byte to float. One core, no
// SIMD.

#include <algorithm>

#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

static void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

static const Register registered{{.name = "seq",
                                  .backend = common::Backend::seq,
                                  .idea = "the definition as nested loops, one value at a time"},
                                 seq};

}  // namespace convolution
