// Loop interchange and strip mining. A row of interleaved pixels is an array of bytes, in which the
// neighbour j columns away is j * channels bytes away, for every channel. So the innermost loop can
// run over consecutive bytes with one constant weight: the compiler vectorises it. A strip of sums
// stays in the L1 cache while the taps of the mask are added to it one by one.
//
// Against omp_unrolled, which executes 5 instructions per tap of each value: the same work for 4
// values at a time, in the 128-bit vectors that every x86-64 CPU has. They have no instruction that
// converts bytes to floats: two instructions widen the bytes to 32 bits first. Sums are loaded and
// stored once per tap. Bound by instructions.
//
// Predicted: 2.3 times as fast as omp_unrolled, with 7 instructions per tap of 4 values instead of
// 16, not counting those that clear a register.

#include <algorithm>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

static constexpr std::ptrdiff_t strip = 2048;  // values

/// Output bytes [begin, end) of row y; at most `strip` of them.
static void convolve_strip(ImageView<const std::uint8_t> in, std::uint8_t* out, int y,
                           std::ptrdiff_t begin, std::ptrdiff_t end, const Mask& mask) {
    float sums[strip] = {};
    const int k = mask.radius();
    for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
        const std::uint8_t* row = in.row(y + i);
        for (int j = -k; j <= k; ++j) {
            const std::ptrdiff_t shift = static_cast<std::ptrdiff_t>(j) * in.channels;
            const std::ptrdiff_t first = std::max(begin, -shift);
            const std::ptrdiff_t last = std::min(end, in.row_length() - shift);
            const float weight = mask.at(i + k, j + k);
#pragma omp simd
            for (std::ptrdiff_t b = first; b < last; ++b) {
                sums[b - begin] += static_cast<float>(row[b + shift]) * weight;
            }
        }
    }
#pragma omp simd
    for (std::ptrdiff_t b = begin; b < end; ++b) out[b] = to_pixel(sums[b - begin]);
}

void omp_strips(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                const Options& options) {
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (std::ptrdiff_t begin = 0; begin < in.row_length(); begin += strip) {
            const std::ptrdiff_t end = std::min(begin + strip, in.row_length());
            convolve_strip(in, out.row(y), y, begin, end, options.mask);
        }
    }
}

static const Register registered{
    {.name = "omp_strips",
     .backend = common::Backend::omp,
     .idea = "loop over a strip of a row innermost, one tap at a time: vectorises"},
    omp_strips};

}  // namespace convolution
