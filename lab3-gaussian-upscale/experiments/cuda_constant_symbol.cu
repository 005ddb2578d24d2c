// cuda_constant with the weights in a variable declared __constant__, which
// cudaMemcpyToSymbolAsync fills before each launch, as in the original report (003).
//
// The kernel and the constant cache are the same: kernel parameters lie in bank 0 of constant
// memory, a symbol lies in another bank and holds up to 64 KB. The copy is a second operation in
// the stream. Predicted: the time of cuda_constant plus that of the copy.
//
// A process has one such symbol. Copy and kernel run in stream order, but a launch in a second
// stream with other weights could overwrite the symbol while the kernel of the first still reads
// it. Kernel parameters belong to their launch.
//
// The prediction fails: with the copy, it takes no longer than cuda_constant. The compiler loads
// the weights of a symbol into uniform registers, once for a warp, and those of a parameter into a
// register of each lane. Both kernels have as many float operations and registers, but with the
// symbol warps wait less for memory (long scoreboard).

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static __constant__ Weights weights_symbol;

template <int Channels>
static __global__ void upscale_with_symbol(DeviceView<const std::uint8_t, Channels> in,
                                           DeviceView<std::uint8_t, Channels> out) {
    const Weights& weights = weights_symbol;
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int taps = 2 * weights.radius + 1;
    const int first_x = X / 2 - weights.radius * direction(X);
    const int first_y = Y / 2 - weights.radius * direction(Y);
    float sum[Channels] = {};
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

void cuda_constant_symbol(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    common::check(cudaMemcpyToSymbolAsync(weights_symbol, &options.weights, sizeof options.weights,
                                          0, cudaMemcpyHostToDevice, stream));
    if (in.channels == 1) {
        upscale_with_symbol<1><<<grid, threads, 0, stream>>>(in, out);
    } else {
        upscale_with_symbol<3><<<grid, threads, 0, stream>>>(in, out);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_constant_symbol",
     .backend = common::Backend::cuda,
     .idea = "as cuda_constant; weights in a __constant__ symbol, copied before each launch"},
    cuda_constant_symbol,
    Traits{.in_ladder = false, .compares_weight_memory = true}};

}  // namespace upscale
