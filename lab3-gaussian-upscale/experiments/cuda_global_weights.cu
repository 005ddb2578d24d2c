// cuda_constant with the weights in global memory, to compare it with constant memory.
//
// An arithmetic instruction can read an operand from constant memory. An operand in global memory
// needs a load into a register, which shares the L1 cache and its pipeline with the loads of the
// pixels. All lanes of a warp read the same address, so a load is one sector and hits in L1.
// Predicted: one load more per tap, so slower.
//
// It is slower, by less than the number of additional load requests says (`run --explain`): the
// loads hit in L1.

#include <span>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

template <int Channels>
static __global__ void upscale_with_global_weights(DeviceView<const std::uint8_t, Channels> in,
                                                   DeviceView<std::uint8_t, Channels> out,
                                                   const Weights* weights) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int taps = 2 * weights->radius + 1;
    const int first_x = X / 2 - weights->radius * direction(X);
    const int first_y = Y / 2 - weights->radius * direction(Y);
    float sum[Channels] = {};
    for (int j = 0; j < taps; ++j) {
        const int y = min(max(first_y + j * direction(Y), 0), in.height - 1);
        float row[Channels] = {};
        for (int i = 0; i < taps; ++i) {
            const int x = min(max(first_x + i * direction(X), 0), in.width - 1);
            float pixel[Channels];
            for (int c = 0; c < Channels; ++c) pixel[c] = in.at(x, y, c);
            for (int c = 0; c < Channels; ++c) row[c] += pixel[c] * weights->values[i];
        }
        for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights->values[j];
    }
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(sum[c]);
}

void cuda_global_weights(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    const void* weights =
        options.scratch->constants(0, std::as_bytes(std::span(&options.weights, 1)), stream);
    if (in.channels == 1) {
        upscale_with_global_weights<1>
            <<<grid, threads, 0, stream>>>(in, out, static_cast<const Weights*>(weights));
    } else {
        upscale_with_global_weights<3>
            <<<grid, threads, 0, stream>>>(in, out, static_cast<const Weights*>(weights));
    }
    common::check_launch();
}

static const Register registered{{.name = "cuda_global_weights",
                                  .backend = common::Backend::cuda,
                                  .idea = "as cuda_constant; weights in global memory"},
                                 cuda_global_weights,
                                 Traits{.in_ladder = false, .compares_weight_memory = true}};

}  // namespace upscale
