// No tests for the edge in the interior. Only windows at the edge of the image can leave it: k rows
// and k columns on each side, 0.1% of the pixels of 7680x4320 with k = 1. ladder/parts/interior.hpp
// computes those as seq does, and the others are left to a loop that computes no bounds.
//
// Against omp_rows, which computes both bounds of the loop over columns in each row of each window,
// and multiplies to get the address of each tap: the address of a tap is the one before it plus the
// number of channels. The loops over the taps remain, 3 or 5 iterations each. Bound by instructions
// and by the branches at the ends of these short loops.
//
// Predicted: 1.5 to 2 times as fast as omp_rows with gauss3.

#include <cstddef>

#include "ladder/parts/interior.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

/// Bytes [begin, end) of row y.
static void convolve_interior(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                              const Mask& mask, int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
    const int k = mask.radius();
    const std::ptrdiff_t halo = static_cast<std::ptrdiff_t>(k) * in.channels;
    for (std::ptrdiff_t b = begin; b < end; ++b) {
        const std::uint8_t* row = in.row(y - k) + b - halo;
        const float* weight = mask.weights;
        float sum = 0;
        for (int i = 0; i < mask.size; ++i, row += in.pitch) {
            const std::uint8_t* tap = row;
            for (int j = 0; j < mask.size; ++j, tap += in.channels) {
                sum += static_cast<float>(*tap) * *weight++;
            }
        }
        out.row(y)[b] = to_pixel(sum);
    }
}

void omp_interior(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                  const Options& options) {
    convolve_rows(in, out, options, [&](int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
        convolve_interior(in, out, options.mask, y, begin, end);
    });
}

static const Register registered{{.name = "omp_interior",
                                  .backend = common::Backend::omp,
                                  .idea = "tests for the edge of the image only at the edge"},
                                 omp_interior};

}  // namespace convolution
