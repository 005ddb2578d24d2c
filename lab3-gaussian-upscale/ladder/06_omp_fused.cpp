// omp_separable writes an intermediate image of floats to memory and reads it again: 16 bytes of
// traffic per source value, where the images themselves have 5. A row of the output needs only one
// row of it. Here each thread blends the two rows that belong to a source row into buffers of its
// own, which stay in its caches, and resamples them at once.
//
// The buffers have a halo of r pixels on both sides, filled with the border pixels. So the taps of
// the horizontal pass need no clamp.
//
// Bound by scalar instructions: there are 30 multiply-adds for four outputs with radius 2.

#include <algorithm>
#include <vector>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

/// Blends the rows around source row y, for both phases.
static void vertical_pass(ImageView<const std::uint8_t> in, const Weights& weights, int y,
                          float* upper, float* lower) {
    const std::uint8_t* rows[2 * Weights::max_radius + 1];
    for (int k = -weights.radius; k <= weights.radius; ++k) {
        rows[weights.radius + k] = in.row(std::clamp(y + k, 0, in.height - 1));
    }
    const std::ptrdiff_t count = in.row_length();
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

/// Repeats the first and the last pixel of a row in the halo on both sides of it.
static void fill_halo(float* row, std::ptrdiff_t count, int channels, int radius) {
    for (int i = 1; i <= radius * channels; ++i) {
        row[-i] = row[channels - i];
        row[count - 1 + i] = row[count - 1 + i - channels];
    }
}

/// Resamples a blended row, for both phases.
template <int Channels>
static void horizontal_pass(const float* row, int width, const Weights& weights, std::uint8_t* to) {
    for (int x = 0; x < width; ++x, row += Channels, to += 2 * Channels) {
        float even[Channels] = {};
        float odd[Channels] = {};
        for (int k = -weights.radius; k <= weights.radius; ++k) {
            for (int c = 0; c < Channels; ++c) {
                even[c] += row[k * Channels + c] * weights.at(k);
                odd[c] += row[k * Channels + c] * weights.at(-k);
            }
        }
        for (int c = 0; c < Channels; ++c) {
            to[c] = to_pixel(even[c]);
            to[Channels + c] = to_pixel(odd[c]);
        }
    }
}

void omp_fused(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    const Weights weights = options.weights;  // a copy, which no store to an image can change
    const int radius = weights.radius;
    const std::ptrdiff_t count = in.row_length();
    const auto horizontal = in.channels == 1 ? horizontal_pass<1> : horizontal_pass<3>;
#pragma omp parallel num_threads(options.threads)
    {
        const std::ptrdiff_t halo = std::ptrdiff_t{radius} * in.channels;
        std::vector<float> buffer(static_cast<std::size_t>(2 * (count + 2 * halo)));
        float* const upper = buffer.data() + halo;
        float* const lower = upper + count + 2 * halo;
#pragma omp for schedule(static)
        for (int y = 0; y < in.height; ++y) {
            vertical_pass(in, weights, y, upper, lower);
            fill_halo(upper, count, in.channels, radius);
            fill_halo(lower, count, in.channels, radius);
            horizontal(upper, in.width, weights, out.row(2 * y));
            horizontal(lower, in.width, weights, out.row(2 * y + 1));
        }
    }
}

static const Register registered{
    {.name = "omp_fused",
     .backend = common::Backend::omp,
     .idea = "both passes for a row at once; the sums stay in a cache"},
    omp_fused,
    Traits{.operations = separable_operations}};

}  // namespace upscale
