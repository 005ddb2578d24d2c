// seq is bound by the instructions of one core. Here each thread computes a share of the output
// rows. Threads share only the input, which nobody writes, so nothing has to be synchronized. Every
// row costs the same, so a static schedule has no load imbalance.
//
// Bound by the same scalar instructions; at best as many times faster as there are cores.

#include <algorithm>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Weights& weights = options.weights;
#pragma omp parallel for schedule(static) num_threads(options.threads)
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

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, output rows divided among threads"},
                                 omp_rows,
                                 Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
