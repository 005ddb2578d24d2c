// Sums of 16-bit integers. The weights of most masks are small integers times a scale, 1/16 for
// gauss3. If no sum of such integers exceeds 16 bits, arithmetic modulo 2^16 gives it exactly, and
// a shift or one multiplication scales it at the end (ladder/parts/separable.hpp: `in_16_bits`).
//
// Against omp_simd, which is bound by 2 instructions per tap of 16 floats: 32 integers fit the same
// vector. There is no instruction that multiplies and adds them, so 3 instructions per tap of 32
// values, and half as many bytes in the L1 cache. Other masks have sums of floats, as before.
//
// Predicted: 32 * 2 / (16 * 3) = 1.3 times as fast as omp_simd by the instructions of the taps,
// more because the conversions, the loads and the stores are halved.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/instruction_sets.hpp"
#include "ladder/parts/interior.hpp"
#include "ladder/parts/separable.hpp"
#include "ladder/parts/strip.hpp"
#include "problem/sizes.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

/// sums += the sum over the window; `values` is a buffer for a row with its halo.
template <class Sum, int N>
ALWAYS_INLINE static inline void add_windows(const Strip& at, const Decomposition& mask,
                                             std::ptrdiff_t count, Sum* values, Sum* sums) {
    const std::ptrdiff_t channels = at.in.channels;
    for (int i = 0; i < N; ++i) {
        const std::uint8_t* row = at.in.row(at.y - N / 2 + i) + at.begin - N / 2 * channels;
        std::copy_n(row, count + (N - 1) * channels, values);
        add_row<Sum, N>(values, channels, mask.weights + i * N, count, sums);
    }
}

template <class Sum>
ALWAYS_INLINE static inline void convolve_strip_in(const Strip& at, const Decomposition& mask) {
    Sum sums[strip];
    Sum values[strip + widest_halo];
    const std::ptrdiff_t count = at.end - at.begin;
    std::fill_n(sums, count, static_cast<Sum>(mask.bias));
    with_size(mask.size,
              [&]<int N>() ALWAYS_INLINE { add_windows<Sum, N>(at, mask, count, values, sums); });
    to_pixels(sums, mask, count, at.out + at.begin);
}

FOR_SEVERAL_INSTRUCTION_SETS
static void convolve_strip(const Strip& at, const Decomposition& mask) {
    mask.in_16_bits ? convolve_strip_in<std::uint16_t>(at, mask)
                    : convolve_strip_in<float>(at, mask);
}

void omp_integers(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                  const Options& options) {
    const Decomposition mask = decompose(options.mask);
    convolve_rows(in, out, options, [&](int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (; begin < end; begin += strip) {
            convolve_strip({in, out.row(y), y, begin, std::min(begin + strip, end)}, mask);
        }
    });
}

static const Register registered{
    {.name = "omp_integers",
     .backend = common::Backend::omp,
     .idea = "16-bit sums of integer weights: twice the values in a vector"},
    omp_integers};

}  // namespace convolution
