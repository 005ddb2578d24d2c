// cuda_per_pixel with the mask in a variable declared __constant__, which cudaMemcpyToSymbolAsync
// fills before each launch. It is what the original reports (000, 001) do.
//
// Against cuda_per_pixel: the same kernel and the same constant cache. A kernel parameter lies in
// constant memory too, in bank 0; a symbol lies in another bank and holds up to 64 KB. What differs
// is the copy, a second operation in the stream. Predicted: the same time, plus that of the copy.
//
// There is one symbol in a process, whoever launches. Copy and kernel are on the launch's stream,
// so they run in this order; but a launch on a second stream with another mask could overwrite the
// symbol while the kernel of the first still reads it. Kernel parameters belong to their launch.

#include "common/cuda.cuh"
#include "problem/variant.hpp"
#include "problem/weighted_sum.hpp"

namespace convolution {

using common::DeviceView;

static __constant__ Mask mask_symbol;

template <int Channels>
static __global__ void convolve_with_symbol(DeviceView<const std::uint8_t> in,
                                            DeviceView<std::uint8_t> out) {
    in.channels = out.channels = Channels;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    for (int c = 0; c < Channels; ++c) out.at(x, y, c) = weighted_sum(in, mask_symbol, x, y, c);
}

void cuda_constant_symbol(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    common::check(cudaMemcpyToSymbolAsync(mask_symbol, &options.mask, sizeof options.mask, 0,
                                          cudaMemcpyHostToDevice, stream));
    const auto kernel = in.channels == 1 ? convolve_with_symbol<1> : convolve_with_symbol<3>;
    kernel<<<grid, threads, 0, stream>>>(in, out);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_constant_symbol",
     .backend = common::Backend::cuda,
     .idea = "as cuda_per_pixel; mask in a __constant__ symbol, copied before each launch"},
    cuda_constant_symbol};

}  // namespace convolution
