// omp_simd uses SSE2, because the program has to start on every x86-64 CPU. Here the function that
// computes a row is compiled three times: for SSE2, AVX2 (eight floats, fused multiply-add) and
// AVX-512 (sixteen floats). When the program starts, it chooses the best version that the CPU has.
//
// Predicted: with AVX-512 at most four times as fast as omp_simd; interleaving stays as it is.
// Bound by vector instructions and by interleaving. omp_best keeps the sums in the L1 cache, leaves
// out taps with negligible weights, interleaves by byte permutes, and writes past the caches.

#include <algorithm>
#include <type_traits>
#include <vector>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

namespace {

/// A thread's buffers for one source row.
struct Buffers {
    std::vector<float> upper, lower;      ///< for both phases in y, with a halo on both sides
    std::vector<std::uint8_t> even, odd;  ///< for both phases in x

    Buffers(std::ptrdiff_t count, std::ptrdiff_t halo)
        : upper(static_cast<std::size_t>(count + 2 * halo)),
          lower(upper.size()),
          even(static_cast<std::size_t>(count)),
          odd(even.size()) {}
};

}  // namespace

/// Weighted sums of `count` values for both phases; from[k] points to the values of tap k.
template <int Radius, class In, class Out>
ALWAYS_INLINE static inline void blend(const In* const (&from)[2 * Radius + 1],
                                       const Weights& weights, std::ptrdiff_t count, Out* even,
                                       Out* odd) {
#pragma omp simd
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        float e = 0;
        float o = 0;
        for (int k = 0; k <= 2 * Radius; ++k) {
            const auto value = static_cast<float>(from[k][i]);
            e += value * weights.values[k];
            o += value * weights.values[2 * Radius - k];
        }
        if constexpr (std::is_same_v<Out, std::uint8_t>) {
            even[i] = to_pixel(e);
            odd[i] = to_pixel(o);
        } else {
            even[i] = e;
            odd[i] = o;
        }
    }
}

/// Repeats the first and the last pixel of a row in the halo on both sides of it.
ALWAYS_INLINE static inline void fill_halo(float* row, std::ptrdiff_t count, int channels,
                                           int radius) {
    for (int i = 1; i <= radius * channels; ++i) {
        row[-i] = row[channels - i];
        row[count - 1 + i] = row[count - 1 + i - channels];
    }
}

/// Writes the pixels of `left` and `right` alternately.
template <int Channels>
ALWAYS_INLINE static inline void interleave(const std::uint8_t* left, const std::uint8_t* right,
                                            int width, std::uint8_t* to) {
    for (int x = 0; x < width; ++x, left += Channels, right += Channels, to += 2 * Channels) {
        for (int c = 0; c < Channels; ++c) {
            to[c] = left[c];
            to[Channels + c] = right[c];
        }
    }
}

/// `upper` and `lower` = row y of the source, blended with the rows around it.
template <int Radius>
ALWAYS_INLINE static inline void blend_rows(ImageView<const std::uint8_t> in,
                                            const Weights& weights, int y, float* upper,
                                            float* lower) {
    const std::uint8_t* rows[2 * Radius + 1];
    for (int k = 0; k <= 2 * Radius; ++k)
        rows[k] = in.row(std::clamp(y + k - Radius, 0, in.height - 1));
    blend<Radius>(rows, weights, in.row_length(), upper, lower);
}

/// `even` and `odd` = the sums, blended with those beside them.
template <int Radius>
ALWAYS_INLINE static inline void blend_columns(const float* sums, int channels,
                                               const Weights& weights, std::ptrdiff_t count,
                                               std::uint8_t* even, std::uint8_t* odd) {
    const float* taps[2 * Radius + 1];
    for (int k = 0; k <= 2 * Radius; ++k) taps[k] = sums + (k - Radius) * channels;
    blend<Radius>(taps, weights, count, even, odd);
}

/// Calls `function` with the radius as a template argument, so that the loops over the taps unroll.
template <class Function>
ALWAYS_INLINE static inline void with_radius(int radius, Function function) {
    switch (radius) {
        case 1:
            return function.template operator()<1>();
        case 2:
            return function.template operator()<2>();
        case 3:
            return function.template operator()<3>();
        case 4:
            return function.template operator()<4>();
        case 5:
            return function.template operator()<5>();
        case 6:
            return function.template operator()<6>();
        default:
            return function.template operator()<7>();
    }
}

/// The output rows 2y and 2y + 1. Compiled for AVX2 and AVX-512 too; a call goes to the best
/// version that the CPU has. Everything that it calls is inlined, and so becomes part of each
/// version.
FOR_SEVERAL_INSTRUCTION_SETS
static void upscale_row(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                        const Weights& weights, int y, Buffers& buffers) {
    const std::ptrdiff_t count = in.row_length();
    const std::ptrdiff_t halo = std::ptrdiff_t{weights.radius} * in.channels;
    float* const sums[2] = {buffers.upper.data() + halo, buffers.lower.data() + halo};
    std::uint8_t* const even = buffers.even.data();
    std::uint8_t* const odd = buffers.odd.data();
    with_radius(weights.radius, [&]<int Radius>() ALWAYS_INLINE {
        blend_rows<Radius>(in, weights, y, sums[0], sums[1]);
    });
    for (int phase = 0; phase < 2; ++phase) {
        fill_halo(sums[phase], count, in.channels, weights.radius);
        with_radius(weights.radius, [&]<int Radius>() ALWAYS_INLINE {
            blend_columns<Radius>(sums[phase], in.channels, weights, count, even, odd);
        });
        std::uint8_t* const to = out.row(2 * y + phase);
        if (in.channels == 1) {
            interleave<1>(even, odd, in.width, to);
        } else {
            interleave<3>(even, odd, in.width, to);
        }
    }
}

void omp_dispatch(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                  const Options& options) {
    const Weights weights = options.weights;  // a copy, which no store to an image can change
#pragma omp parallel num_threads(options.threads)
    {
        Buffers buffers(in.row_length(), std::ptrdiff_t{weights.radius} * in.channels);
#pragma omp for schedule(static)
        for (int y = 0; y < in.height; ++y) upscale_row(in, out, weights, y, buffers);
    }
}

static const Register registered{
    {.name = "omp_dispatch",
     .backend = common::Backend::omp,
     .idea = "the loops of omp_simd with the widest vectors of the CPU"},
    omp_dispatch,
    Traits{.operations = separable_operations}};

}  // namespace upscale
