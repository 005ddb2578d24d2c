// One thread per output pixel, for latency hiding by many warps. Each thread computes the weight of
// every tap with expf, adds up the weights as well as the weighted values, and divides in the end.
//
// Bound by arithmetic, most of it redundant: there are only four sets of weights, one for each pair
// of phases, and every thread computes one of them again.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// `Channels` is a compile-time constant, so that the sums stay in registers.
template <int Channels>
static __global__ void upscale_naively(DeviceView<const std::uint8_t, Channels> in,
                                       DeviceView<std::uint8_t, Channels> out, const int radius,
                                       const float sigma) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const float phase_x = X % 2 == 0 ? 0.25f : -0.25f;
    const float phase_y = Y % 2 == 0 ? 0.25f : -0.25f;
    float sums[Channels] = {};
    float weights = 0;
    for (int j = -radius; j <= radius; ++j) {
        const int y = min(max(Y / 2 + j, 0), in.height - 1);
        const float dy = j + phase_y;
        for (int i = -radius; i <= radius; ++i) {
            const int x = min(max(X / 2 + i, 0), in.width - 1);
            const float dx = i + phase_x;
            const float weight = expf(-(dx * dx + dy * dy) / (2 * sigma * sigma));
            for (int c = 0; c < Channels; ++c) {
                sums[c] += weight * in.at(x, y, c);
            }
            weights += weight;
        }
    }
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(sums[c] / weights);
}

void cuda_naive(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                const Options& options, cudaStream_t stream) {
    if (options.method != Method::gauss) {
        throw common::Unsupported("cuda_naive: has Gaussian weights only");
    }
    // Far below this, all weights are zero in float, and the mean is 0 / 0.
    if (options.sigma < 0.1f) throw common::Unsupported("cuda_naive: takes --sigma 0.1 or more");
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    if (in.channels == 1) {
        upscale_naively<1>
            <<<grid, threads, 0, stream>>>(in, out, options.weights.radius, options.sigma);
    } else {
        upscale_naively<3>
            <<<grid, threads, 0, stream>>>(in, out, options.weights.radius, options.sigma);
    }
    common::check_launch();
}

/// A weight takes two squares, their sum, a quotient, expf (counted as one), and its addition to
/// the sum of weights; all channels share it.
static double operations(int radius, int channels) {
    const double taps = 2.0 * radius + 1;
    return taps * taps * (2 + 6.0 / channels) + 2;
}

static const Register registered{
    {.name = "cuda_naive",
     .backend = common::Backend::cuda,
     .idea = "one thread per output pixel, which computes every weight with expf"},
    cuda_naive,
    Traits{.operations = operations}};

}  // namespace upscale
