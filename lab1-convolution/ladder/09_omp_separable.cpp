// Separable masks. If the mask is a column times a row, the sums over the columns of the window
// come first, and then the sum over the row of these sums: 2n multiply-adds per value instead of n
// * n. A strip of column sums with its halo stays in the L1 cache.
//
// Against omp_integers, which is bound by the instructions of n * n taps: 6 taps instead of 9 with
// gauss3, 10 instead of 25 with gauss5, and one pass over the sums instead of n. Other masks are
// computed as before. Bound by instructions with 5x5. omp_best then keeps several rows in
// registers, converts each byte once for all rows, and stores past the caches.
//
// Predicted: 9 / 6 = 1.5 times as fast as omp_integers with gauss3, at most 25 / 10 = 2.5 times
// with gauss5. It stays below this bound, which counts the taps only: bytes are converted, scaled
// and stored as often as before, and each of the n rows is loaded and converted for each output
// row.

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

/// values = the sum over a column of the window, of each byte of the strip and its halo.
template <class Sum, int N>
ALWAYS_INLINE static inline void sum_columns(const Strip& at, const Decomposition& mask,
                                             Sum* values) {
    const std::ptrdiff_t channels = at.in.channels;
    const std::ptrdiff_t pitch = at.in.pitch;
    const std::ptrdiff_t count = at.end - at.begin + (N - 1) * channels;
    const std::uint8_t* top = at.in.row(at.y - N / 2) + at.begin - N / 2 * channels;
    Sum weights[N];
    std::transform(mask.column, mask.column + N, weights, as_sum<Sum>);
#pragma omp simd
    for (std::ptrdiff_t b = 0; b < count; ++b) {
        Sum sum = 0;
#pragma GCC unroll 15
        for (int i = 0; i < N; ++i) {
            sum = multiply_add(static_cast<Sum>(top[b + i * pitch]), weights[i], sum);
        }
        values[b] = sum;
    }
}

/// sums += the sum over the window.
template <class Sum, int N>
ALWAYS_INLINE static inline void add_windows(const Strip& at, const Decomposition& mask,
                                             std::ptrdiff_t count, Sum* values, Sum* sums) {
    const std::ptrdiff_t channels = at.in.channels;
    const int rows = mask.separable ? 1 : N;
    for (int i = 0; i < rows; ++i) {
        if (mask.separable) {
            sum_columns<Sum, N>(at, mask, values);
        } else {
            const std::uint8_t* row = at.in.row(at.y - N / 2 + i) + at.begin - N / 2 * channels;
            std::copy_n(row, count + (N - 1) * channels, values);
        }
        const float* weights = mask.separable ? mask.row : mask.weights + i * N;
        add_row<Sum, N>(values, channels, weights, count, sums);
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
    if (mask.separable && mask.centre != 0) {  // of float sums only
        std::copy_n(at.in.row(at.y) + at.begin, count, values);
        add_row<Sum, 1>(values, at.in.channels, &mask.centre, count, sums);
    }
    to_pixels(sums, mask, count, at.out + at.begin);
}

FOR_SEVERAL_INSTRUCTION_SETS
static void convolve_strip(const Strip& at, const Decomposition& mask) {
    mask.in_16_bits ? convolve_strip_in<std::uint16_t>(at, mask)
                    : convolve_strip_in<float>(at, mask);
}

void omp_separable(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                   const Options& options) {
    const Decomposition mask = decompose(options.mask);
    convolve_rows(in, out, options, [&](int y, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (; begin < end; begin += strip) {
            convolve_strip({in, out.row(y), y, begin, std::min(begin + strip, end)}, mask);
        }
    });
}

static const Register registered{
    {.name = "omp_separable",
     .backend = common::Backend::omp,
     .idea = "separable masks: sums over columns, then over the row of these"},
    omp_separable};

}  // namespace convolution
