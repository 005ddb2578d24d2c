// cuda_naive is bound by arithmetic, most of it for weights. Here the CPU computes the weights once
// and passes them as a kernel parameter. Parameters live in constant memory, which serves a warp by
// one broadcast if all its lanes read the same address. Neighbouring lanes have different phases in
// x; they visit their pixels in mirrored order, so that all of them need the same weight at the
// same time. The weights are normalized products, so a row of taps is summed before its sum is
// weighted, and nothing is divided.
//
// Bound by the instructions around the multiply-add: a clamp and an address for each tap, a byte
// load and a conversion for each of its channels.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// `Channels` is a compile-time constant, so that the sums stay in registers.
template <int Channels>
static __global__ void upscale_pixel(DeviceView<const std::uint8_t, Channels> in,
                                     DeviceView<std::uint8_t, Channels> out,
                                     const Weights weights) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int taps = 2 * weights.radius + 1;
    const int first_x = X / 2 - weights.radius * direction(X);
    const int first_y = Y / 2 - weights.radius * direction(Y);
    float sum[Channels] = {};
    // Taps count from 0: nvcc unrolls the loop by four, and for a loop from -radius it needs a
    // fifth more instructions, for the remainder.
    for (int j = 0; j < taps; ++j) {
        const int y = min(max(first_y + j * direction(Y), 0), in.height - 1);
        float row[Channels] = {};
        for (int i = 0; i < taps; ++i) {
            const int x = min(max(first_x + i * direction(X), 0), in.width - 1);
            float pixel[Channels];
            for (int c = 0; c < Channels; ++c) pixel[c] = in.at(x, y, c);
            for (int c = 0; c < Channels; ++c) row[c] += pixel[c] * weights.values[i];
        }
        for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights.values[j];
    }
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(sum[c]);
}

void cuda_constant(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    if (in.channels == 1) {
        upscale_pixel<1><<<grid, threads, 0, stream>>>(in, out, options.weights);
    } else {
        upscale_pixel<3><<<grid, threads, 0, stream>>>(in, out, options.weights);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_constant",
     .backend = common::Backend::cuda,
     .idea = "normalized weights computed once, in constant memory"},
    cuda_constant,
    Traits{.operations = direct_sum_operations, .compares_weight_memory = true}};

}  // namespace upscale
