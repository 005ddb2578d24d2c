// omp_fused multiplies one value per instruction. Here the loops over adjacent values are SIMD
// loops: `omp simd` says that their iterations are independent, so the compiler computes several
// values with one vector instruction (four floats with SSE2, which every x86-64 CPU has).
//
// A SIMD loop needs two things. Adjacent values must be treated alike: the horizontal pass runs
// over values, whatever their channel, because each has its taps `channels` values apart. It writes
// each phase into a row of its own, and a last loop interleaves the two. And the loop inside must
// be unrolled: the radius is a template parameter. Both passes are then the same function.
//
// Bound by vector instructions (multiply-adds, conversions), and by interleaving, which stays
// scalar.
//
// Predicted: at most four times as fast as omp_fused. Scalar interleaving and the conversions keep
// it below that.

#include <algorithm>
#include <type_traits>
#include <vector>

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
static void blend(const In* const (&from)[2 * Radius + 1], const Weights& weights,
                  std::ptrdiff_t count, Out* even, Out* odd) {
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
static void fill_halo(float* row, std::ptrdiff_t count, int channels, int radius) {
    for (int i = 1; i <= radius * channels; ++i) {
        row[-i] = row[channels - i];
        row[count - 1 + i] = row[count - 1 + i - channels];
    }
}

/// Writes the pixels of `left` and `right` alternately.
template <int Channels>
static void interleave(const std::uint8_t* left, const std::uint8_t* right, int width,
                       std::uint8_t* to) {
    for (int x = 0; x < width; ++x, left += Channels, right += Channels, to += 2 * Channels) {
        for (int c = 0; c < Channels; ++c) {
            to[c] = left[c];
            to[Channels + c] = right[c];
        }
    }
}

/// The output rows 2y and 2y + 1.
template <int Radius>
static void upscale_row(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                        const Weights& weights, int y, Buffers& buffers) {
    const std::ptrdiff_t count = in.row_length();
    const std::ptrdiff_t halo = std::ptrdiff_t{Radius} * in.channels;
    const std::uint8_t* rows[2 * Radius + 1];
    for (int k = 0; k <= 2 * Radius; ++k)
        rows[k] = in.row(std::clamp(y + k - Radius, 0, in.height - 1));
    float* const sums[2] = {buffers.upper.data() + halo, buffers.lower.data() + halo};
    blend<Radius>(rows, weights, count, sums[0], sums[1]);
    for (int phase = 0; phase < 2; ++phase) {
        fill_halo(sums[phase], count, in.channels, Radius);
        const float* taps[2 * Radius + 1];
        for (int k = 0; k <= 2 * Radius; ++k) taps[k] = sums[phase] + (k - Radius) * in.channels;
        blend<Radius>(taps, weights, count, buffers.even.data(), buffers.odd.data());
        const auto interleave_row = in.channels == 1 ? interleave<1> : interleave<3>;
        interleave_row(buffers.even.data(), buffers.odd.data(), in.width, out.row(2 * y + phase));
    }
}

static auto* row_function(int radius) {
    constexpr decltype(&upscale_row<1>) functions[Weights::max_radius] = {
        upscale_row<1>, upscale_row<2>, upscale_row<3>, upscale_row<4>,
        upscale_row<5>, upscale_row<6>, upscale_row<7>};
    return functions[radius - 1];
}

void omp_simd(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Weights weights = options.weights;  // a copy, which no store to an image can change
    const auto upscale = row_function(weights.radius);
#pragma omp parallel num_threads(options.threads)
    {
        Buffers buffers(in.row_length(), std::ptrdiff_t{weights.radius} * in.channels);
#pragma omp for schedule(static)
        for (int y = 0; y < in.height; ++y) upscale(in, out, weights, y, buffers);
    }
}

static const Register registered{{.name = "omp_simd",
                                  .backend = common::Backend::omp,
                                  .idea = "SIMD loops over adjacent values, taps unrolled"},
                                 omp_simd,
                                 Traits{.operations = separable_operations}};

}  // namespace upscale
