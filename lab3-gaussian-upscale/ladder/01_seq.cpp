// The definition as loops: every output value is a weighted mean of (2r+1)^2 source pixels. The
// weights are products, so the sum of a row of taps is weighted once: one multiplication per tap
// instead of two.
//
// Bound by scalar instructions: an address, a conversion and a multiply-add for each of the
// 4 (2r+1)^2 taps of a source value, on one core.

#include <algorithm>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options) {
    const Weights& weights = options.weights;
    for (int Y = 0; Y < out.height; ++Y) {
        for (int X = 0; X < out.width; ++X) {
            for (int c = 0; c < out.channels; ++c) {
                float sum = 0;
                for (int j = -weights.radius; j <= weights.radius; ++j) {
                    const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
                    float row = 0;
                    for (int i = -weights.radius; i <= weights.radius; ++i) {
                        const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                        row += static_cast<float>(in.at(x, y, c)) * weights.at(i);
                    }
                    sum += row * weights.at(j);
                }
                out.at(X, Y, c) = to_pixel(sum);
            }
        }
    }
}

static const Register registered{{.name = "seq",
                                  .backend = common::Backend::seq,
                                  .idea = "the definition as nested loops, one value at a time"},
                                 seq,
                                 Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
