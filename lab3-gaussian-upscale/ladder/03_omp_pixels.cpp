// omp_rows computes the address of every tap once per channel, with a clamp for x and for y. The
// channels of a pixel have the same taps and weights. Here all channels of an output pixel are
// computed together, so they share the addresses.
//
// The number of channels is a template parameter. With a constant number, the sums stay in
// registers, and the compiler unrolls the loops over channels. Predicted: a third of the address
// arithmetic for colour images.
//
// Bound by scalar instructions: a conversion and a multiply-add for each tap and channel.

#include <algorithm>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

template <int Channels>
static void upscale_pixels(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                           const Options& options) {
    const Weights weights = options.weights;  // a copy, which no store to `out` can change
    const int radius = weights.radius;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int Y = 0; Y < out.height; ++Y) {
        for (int X = 0; X < out.width; ++X) {
            float sum[Channels] = {};
            for (int j = -radius; j <= radius; ++j) {
                const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
                float row[Channels] = {};
                for (int i = -radius; i <= radius; ++i) {
                    const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                    const std::uint8_t* pixel = in.row(y) + std::ptrdiff_t{x} * Channels;
                    for (int c = 0; c < Channels; ++c) {
                        row[c] += static_cast<float>(pixel[c]) * weights.at(i);
                    }
                }
                for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights.at(j);
            }
            for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(sum[c]);
        }
    }
}

void omp_pixels(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                const Options& options) {
    const auto upscale = in.channels == 1 ? upscale_pixels<1> : upscale_pixels<3>;
    upscale(in, out, options);
}

static const Register registered{
    {.name = "omp_pixels",
     .backend = common::Backend::omp,
     .idea = "all channels of a pixel share the addresses of its taps"},
    omp_pixels,
    Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
