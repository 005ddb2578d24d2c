// Leaves out the last taps if their weights are too small to change a pixel. Gains nothing, as all
// weights count in the timed calls.

#include <algorithm>
#include <cmath>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options& options) {
    const Weights& weights = options.weights;
    const int r = weights.radius;
    int last = r;
    while (last > 0 && std::abs(weights.at(last)) < 1e-7F) --last;
#pragma omp parallel for num_threads(options.threads)
    for (int Y = 0; Y < out.height; ++Y) {
        for (int b = 0; b < static_cast<int>(out.row_length()); ++b) {
            const int X = b / out.channels;
            float sum = 0;
            for (int j = -r; j <= last; ++j) {
                const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
                float row = 0;
                for (int i = -r; i <= last; ++i) {
                    const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                    row += static_cast<float>(in.at(x, y, b % out.channels)) * weights.at(i);
                }
                sum += row * weights.at(j);
            }
            out.row(Y)[b] = to_pixel(sum);
        }
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "the loops of seq"},
    omp_mine,
    Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
