// The size of the mask as a template argument. The loops over the taps unroll: no counters, no
// branches. Each row of the mask has a sum of its own, so an addition waits for the one before it
// in its row only, and the CPU can execute several at the same time.
//
// Against omp_interior, which is bound by the short loops over the taps, with 10 instructions per
// tap: 5 remain (load a byte, clear a register, convert the byte into it, multiply, add). There is
// a version of the loop for each size of a mask. Bound by these instructions, one value at a time.
//
// GCC would vectorise the loop over the bytes of masks that it considers small enough. Here it must
// not, to show what unrolling alone does.
//
// Predicted: 2 times as fast as omp_interior. It gains less: half the instructions do not take half
// the time. A likely reason, not measured: the conversions (cvtsi2ss), of which there are as many
// as before.

#include <cstddef>

#include "ladder/parts/interior.hpp"
#include "problem/sizes.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

/// Bytes [begin, end) of row y.
template <int N>
[[gnu::optimize("no-tree-vectorize")]] static void convolve_interior(
    ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Mask& mask, int y,
    std::ptrdiff_t begin, std::ptrdiff_t end) {
    const std::uint8_t* corner = in.row(y - N / 2) - std::ptrdiff_t{N / 2} * in.channels;
    std::uint8_t* to = out.row(y);
    for (std::ptrdiff_t b = begin; b < end; ++b) {
        float sum = 0;
#pragma GCC unroll 15
        for (int i = 0; i < N; ++i) {
            const std::uint8_t* row = corner + b + i * in.pitch;
            float along = static_cast<float>(row[0]) * mask.weights[i * N];
#pragma GCC unroll 15
            for (int j = 1; j < N; ++j) {
                along += static_cast<float>(row[j * in.channels]) * mask.weights[i * N + j];
            }
            sum += along;
        }
        to[b] = to_pixel(sum);
    }
}

void omp_unrolled(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                  const Options& options) {
    convolve_rows(in, out, options, [&](int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
        with_size(options.mask.size,
                  [&]<int N>() { convolve_interior<N>(in, out, options.mask, y, begin, end); });
    });
}

static const Register registered{
    {.name = "omp_unrolled",
     .backend = common::Backend::omp,
     .idea = "mask size as a template argument: unrolled taps, a sum per row of the mask"},
    omp_unrolled};

}  // namespace convolution
