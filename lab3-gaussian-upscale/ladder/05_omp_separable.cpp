// omp_phases spends about 2 (2r+1)^2 multiply-adds on the four outputs of a source value. The
// weights are products of one for x and one for y, so the sum over a square of taps is a sum of
// sums: the vertical pass blends rows of the source, the horizontal pass resamples the blended
// rows. Four outputs take 2 (2r+1) + 4 (2r+1) multiply-adds: 30 instead of 70 with radius 2.
//
// The vertical pass treats all values of a row alike, so it needs neither channels nor a clamp in
// its inner loop.
//
// The price is an intermediate image of floats, so that nothing is rounded twice: 8 bytes per
// source value, written and read again. Bound by scalar instructions and by this image, which is
// larger than the caches.
//
// It is faster than omp_phases at 1920x1080, where its image has 50 MB. At 7680x4320 that image has
// 796 MB; there it can be slower, and its time differs from run to run. We have not examined why.

#include <algorithm>
#include <memory>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

/// Blends source rows around row y, for both phases: rows 2y and 2y + 1 of the intermediate image.
static void vertical_pass(ImageView<const std::uint8_t> in, ImageView<float> sums,
                          const Weights& weights, int y) {
    const std::uint8_t* rows[2 * Weights::max_radius + 1];
    for (int k = -weights.radius; k <= weights.radius; ++k) {
        rows[weights.radius + k] = in.row(std::clamp(y + k, 0, in.height - 1));
    }
    const std::ptrdiff_t count = in.row_length();
    float* const upper = sums.row(2 * y);
    float* const lower = sums.row(2 * y + 1);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        float even = 0;
        float odd = 0;
        for (int k = 0; k <= 2 * weights.radius; ++k) {
            const auto value = static_cast<float>(rows[k][i]);
            even += value * weights.values[k];
            odd += value * weights.values[2 * weights.radius - k];
        }
        upper[i] = even;
        lower[i] = odd;
    }
}

/// Resamples row Y of the intermediate image, for both phases.
template <int Channels>
static void horizontal_pass(ImageView<const float> sums, ImageView<std::uint8_t> out,
                            const Weights& weights, int Y) {
    const float* row = sums.row(Y);
    std::uint8_t* to = out.row(Y);
    for (int x = 0; x < sums.width; ++x, to += 2 * Channels) {
        float even[Channels] = {};
        float odd[Channels] = {};
        for (int k = -weights.radius; k <= weights.radius; ++k) {
            const float* tap =
                row + std::ptrdiff_t{std::clamp(x + k, 0, sums.width - 1)} * Channels;
            for (int c = 0; c < Channels; ++c) {
                even[c] += tap[c] * weights.at(k);
                odd[c] += tap[c] * weights.at(-k);
            }
        }
        for (int c = 0; c < Channels; ++c) {
            to[c] = to_pixel(even[c]);
            to[Channels + c] = to_pixel(odd[c]);
        }
    }
}

void omp_separable(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                   const Options& options) {
    const Weights weights = options.weights;  // a copy, which no store to an image can change
    const auto values =
        static_cast<std::size_t>(in.row_length()) * static_cast<std::size_t>(out.height);
    const auto data = std::make_unique_for_overwrite<float[]>(values);
    const ImageView<float> sums{data.get(), in.width, out.height, in.channels, in.row_length()};
    const ImageView<const float> blended{data.get(), in.width, out.height, in.channels,
                                         in.row_length()};
    const auto horizontal = in.channels == 1 ? horizontal_pass<1> : horizontal_pass<3>;
#pragma omp parallel num_threads(options.threads)
    {
#pragma omp for schedule(static)
        for (int y = 0; y < in.height; ++y) vertical_pass(in, sums, weights, y);
            // The barrier at the end of the loop: the second pass reads what the first has written.
#pragma omp for schedule(static)
        for (int Y = 0; Y < out.height; ++Y) horizontal(blended, out, weights, Y);
    }
}

static const Register registered{{.name = "omp_separable",
                                  .backend = common::Backend::omp,
                                  .idea = "a vertical pass, then a horizontal pass"},
                                 omp_separable,
                                 Traits{.operations = separable_operations}};

}  // namespace upscale
