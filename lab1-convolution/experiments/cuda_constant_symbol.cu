// cuda_per_pixel with the mask in a variable declared __constant__ (a symbol), which
// cudaMemcpyToSymbolAsync fills before each launch, as in the original reports (000, 001).
//
// Against cuda_per_pixel: the same kernel and the same constant cache. A kernel parameter lies in
// constant bank 0; symbols lie in another bank of up to 64 KB. The copy is a second operation in
// the stream. Predicted: the time of cuda_per_pixel plus that of the copy.
//
// The prediction fails: with the copy, it takes no longer than cuda_per_pixel. The machine code is
// the same but for the bank of constant memory (docs/constant-memory.md).
//
// A process has one such symbol. Copy and kernel are in the launch's stream, so they run in order.
// But a launch in a second stream with another mask is a race: it may overwrite the symbol while
// the first kernel reads it. Kernel parameters belong to their launch.

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static __constant__ Mask mask_symbol;

template <int Channels>
static __global__ void convolve_with_symbol(DeviceView<const std::uint8_t, Channels> in,
                                            DeviceView<std::uint8_t, Channels> out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const int k = mask_symbol.radius();
    for (int c = 0; c < Channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                sum += in.at(x + j, y + i, c) * mask_symbol.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void cuda_constant_symbol(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    common::check(cudaMemcpyToSymbolAsync(mask_symbol, &options.mask, sizeof options.mask, 0,
                                          cudaMemcpyHostToDevice, stream));
    if (in.channels == 1) {
        convolve_with_symbol<1><<<grid, threads, 0, stream>>>(in, out);
    } else {
        convolve_with_symbol<3><<<grid, threads, 0, stream>>>(in, out);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_constant_symbol",
     .backend = common::Backend::cuda,
     .idea = "as cuda_per_pixel; mask in a __constant__ symbol, copied before each launch"},
    cuda_constant_symbol};

}  // namespace convolution
