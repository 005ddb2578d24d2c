// cuda_constant with the weights in global memory, for comparison with constant memory.
//
// Against cuda_constant: an arithmetic instruction can take an operand from constant memory; from
// global memory it has to be loaded into a register first, by an instruction of its own that goes
// the way of the pixels, through the L1 cache. All lanes of a warp read the same address, so such a
// load is one sector and hits in L1. Predicted: a load more per tap, so slower.

#include <span>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "problem/upscaled.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

template <int Channels>
static __global__ void upscale_with_global_weights(DeviceView<const std::uint8_t> in,
                                                   DeviceView<std::uint8_t> out,
                                                   const Weights* weights) {
    in.channels = out.channels = Channels;
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int Y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (X >= out.width || Y >= out.height) return;
    const auto mean = weighted_mean<Channels>(*weights, [&](int i, int j) {
        const int x = min(max(X / 2 + i * direction(X), 0), in.width - 1);
        const int y = min(max(Y / 2 + j * direction(Y), 0), in.height - 1);
        std::array<float, Channels> pixel;
        for (int c = 0; c < Channels; ++c) pixel[c] = static_cast<float>(in.at(x, y, c));
        return pixel;
    });
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(mean[c]);
}

void cuda_global_weights(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    const void* weights =
        options.scratch->constants(0, std::as_bytes(std::span(&options.weights, 1)), stream);
    const auto kernel =
        in.channels == 1 ? upscale_with_global_weights<1> : upscale_with_global_weights<3>;
    kernel<<<grid, threads, 0, stream>>>(in, out, static_cast<const Weights*>(weights));
    common::check_launch();
}

static const Register registered{{.name = "cuda_global_weights",
                                  .backend = common::Backend::cuda,
                                  .idea = "as cuda_constant; weights in global memory"},
                                 cuda_global_weights};

}  // namespace upscale
