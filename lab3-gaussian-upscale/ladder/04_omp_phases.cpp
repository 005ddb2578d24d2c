// omp_pixels loads, converts and clamps every tap once per output pixel. The four output pixels of
// a source pixel have the same taps, because their phases mirror each other: the even phase weights
// tap k by at(k), the odd phase by at(-k). Here one iteration computes all four.
//
// A row of taps is summed once for each phase in x, and both sums serve both phases in y. Four
// outputs take (2r+1)^2 loads instead of 4 (2r+1)^2, and 2 (2r+1)^2 + 4 (2r+1) multiply-adds
// instead of 4 (2r+1)^2 + 4 (2r+1).
//
// Bound by scalar instructions, now mostly multiply-adds.

#include <algorithm>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

/// The output pixels (2x, 2y) to (2x + 1, 2y + 1).
template <int Channels>
static void upscale_phases(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                           const Weights& weights, int x, int y) {
    float sums[2][2][Channels] = {};  // by phase in y, phase in x, channel
    for (int j = -weights.radius; j <= weights.radius; ++j) {
        const std::uint8_t* row = in.row(std::clamp(y + j, 0, in.height - 1));
        float even[Channels] = {};
        float odd[Channels] = {};
        for (int i = -weights.radius; i <= weights.radius; ++i) {
            const std::uint8_t* pixel =
                row + std::ptrdiff_t{std::clamp(x + i, 0, in.width - 1)} * Channels;
            for (int c = 0; c < Channels; ++c) {
                const auto value = static_cast<float>(pixel[c]);
                even[c] += value * weights.at(i);
                odd[c] += value * weights.at(-i);
            }
        }
        for (int c = 0; c < Channels; ++c) {
            sums[0][0][c] += even[c] * weights.at(j);
            sums[0][1][c] += odd[c] * weights.at(j);
            sums[1][0][c] += even[c] * weights.at(-j);
            sums[1][1][c] += odd[c] * weights.at(-j);
        }
    }
    for (int q = 0; q < 4; ++q) {
        for (int c = 0; c < Channels; ++c) {
            out.at(2 * x + q % 2, 2 * y + q / 2, c) = to_pixel(sums[q / 2][q % 2][c]);
        }
    }
}

template <int Channels>
static void upscale_all(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                        const Options& options) {
    const Weights weights = options.weights;  // a copy, which no store to `out` can change
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) upscale_phases<Channels>(in, out, weights, x, y);
    }
}

void omp_phases(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                const Options& options) {
    const auto upscale = in.channels == 1 ? upscale_all<1> : upscale_all<3>;
    upscale(in, out, options);
}

static const Register registered{
    {.name = "omp_phases",
     .backend = common::Backend::omp,
     .idea = "the four output pixels of a source pixel share their taps"},
    omp_phases,
    Traits{.operations = shared_rows_operations, .slow = true}};

}  // namespace upscale
