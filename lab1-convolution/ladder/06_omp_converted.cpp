// Each byte of a strip is converted to float once for each row of the mask, not once for each tap.
// The taps of a row of the mask are unrolled, and their sum stays in a register.
//
// Against omp_strips, in which each tap of 4 values takes 7 instructions (load, two to widen,
// convert, multiply, add, store): a tap takes 3 (load, multiply, add). A row of the mask takes 7
// more for its conversions and its sums. A strip and its sums are 16 KB and stay in the L1 cache.
// Bound by instructions.
//
// Predicted: 1.3 times as fast as omp_strips with gauss3 and 1.6 times with gauss5, with (3n + 7) /
// 7n of its instructions.

#include <algorithm>
#include <cstddef>

#include "common/instruction_sets.hpp"
#include "ladder/parts/interior.hpp"
#include "problem/sizes.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

static constexpr std::ptrdiff_t strip = 2048;                    // values
static constexpr std::ptrdiff_t widest_halo = 2 * 3 * (15 / 2);  // of 3 channels and a 15x15 mask

/// Output bytes [begin, end) of row y; at most `strip` of them, all in the interior.
static void convolve_strip(ImageView<const std::uint8_t> in, std::uint8_t* out, const Mask& mask,
                           int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
    with_size(mask.size, [&]<int N>() ALWAYS_INLINE {
        float sums[strip] = {};
        float values[strip + widest_halo];  // of one row, with the halo
        const std::ptrdiff_t channels = in.channels;
        const std::ptrdiff_t count = end - begin;
        for (int i = 0; i < N; ++i) {
            const std::uint8_t* row = in.row(y - N / 2 + i) + begin - N / 2 * channels;
#pragma omp simd
            for (std::ptrdiff_t b = 0; b < count + (N - 1) * channels; ++b) {
                values[b] = static_cast<float>(row[b]);
            }
            float weights[N];
            std::copy_n(mask.weights + i * N, N, weights);
#pragma omp simd
            for (std::ptrdiff_t b = 0; b < count; ++b) {
                float sum = sums[b];
#pragma GCC unroll 15
                for (int j = 0; j < N; ++j) sum += values[b + j * channels] * weights[j];
                sums[b] = sum;
            }
        }
#pragma omp simd
        for (std::ptrdiff_t b = 0; b < count; ++b) out[begin + b] = to_pixel(sums[b]);
    });
}

void omp_converted(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                   const Options& options) {
    convolve_rows(in, out, options, [&](int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (; begin < end; begin += strip) {
            convolve_strip(in, out.row(y), options.mask, y, begin, std::min(begin + strip, end));
        }
    });
}

static const Register registered{
    {.name = "omp_converted",
     .backend = common::Backend::omp,
     .idea = "bytes converted to floats once per row of the mask, not per tap"},
    omp_converted};

}  // namespace convolution
