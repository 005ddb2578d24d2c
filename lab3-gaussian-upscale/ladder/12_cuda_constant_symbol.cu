// cuda_constant with the weights in a variable declared __constant__, which
// cudaMemcpyToSymbolAsync fills before each launch. It is what the original report (003) does.
//
// Against cuda_constant: the same kernel and the same constant cache. A kernel parameter lies in
// constant memory too, in bank 0; a symbol lies in another bank and holds up to 64 KB. What differs
// is the copy, a second operation in the stream. Predicted: the same time, plus that of the copy.
//
// There is one symbol in a process, whoever launches. Copy and kernel are on the launch's stream,
// so they run in this order; but a launch on a second stream with other weights could overwrite the
// symbol while the kernel of the first still reads it. Kernel parameters belong to their launch.

#include "common/cuda.cuh"
#include "problem/upscaled.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static __constant__ Weights weights_symbol;

template <int Channels>
static __global__ void upscale_with_symbol(DeviceView<const std::uint8_t> in,
                                           DeviceView<std::uint8_t> out) {
    in.channels = out.channels = Channels;
    const int X = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int Y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (X >= out.width || Y >= out.height) return;
    const auto mean = weighted_mean<Channels>(weights_symbol, [&](int i, int j) {
        const int x = min(max(X / 2 + i * direction(X), 0), in.width - 1);
        const int y = min(max(Y / 2 + j * direction(Y), 0), in.height - 1);
        std::array<float, Channels> pixel;
        for (int c = 0; c < Channels; ++c) pixel[c] = static_cast<float>(in.at(x, y, c));
        return pixel;
    });
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(mean[c]);
}

void cuda_constant_symbol(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    common::check(cudaMemcpyToSymbolAsync(weights_symbol, &options.weights, sizeof options.weights,
                                          0, cudaMemcpyHostToDevice, stream));
    const auto kernel = in.channels == 1 ? upscale_with_symbol<1> : upscale_with_symbol<3>;
    kernel<<<grid, threads, 0, stream>>>(in, out);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_constant_symbol",
     .backend = common::Backend::cuda,
     .idea = "as cuda_constant; weights in a __constant__ symbol, copied before each launch"},
    cuda_constant_symbol};

}  // namespace upscale
