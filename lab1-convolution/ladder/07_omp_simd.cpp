// omp_converted, compiled for several instruction sets. Dispatch takes place when the program
// starts: the widest vectors of the machine are used, 8 floats (AVX2) or 16 (AVX-512) instead of 4.
//
// Against omp_converted: one attribute. Besides the width, these instruction sets have one
// instruction that multiplies and adds, and one that widens bytes. Bound by instructions: 2 per tap
// of a vector.
//
// Predicted: with AVX-512 at most 4 times as fast as omp_converted, as vectors are 4 times as wide.
// CPUs that execute a vector of 512 bits in two halves gain less.

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
FOR_SEVERAL_INSTRUCTION_SETS
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

void omp_simd(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    convolve_rows(in, out, options, [&](int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (; begin < end; begin += strip) {
            convolve_strip(in, out.row(y), options.mask, y, begin, std::min(begin + strip, end));
        }
    });
}

static const Register registered{
    {.name = "omp_simd",
     .backend = common::Backend::omp,
     .idea = "as omp_converted, with the widest vectors of the machine"},
    omp_simd};

}  // namespace convolution
