// One thread per output value: blocks are three-dimensional, and threadIdx.z is the channel. The
// mask travels as a kernel parameter, which the GPU keeps in constant memory: all threads of a warp
// read the same weight at the same time, which is the case that the constant cache serves at once.
//
// Against omp_rows: the two outer loops and the channel loop are gone; each iteration is a thread.
// Neighbouring threads of a warp read bytes 3 apart, and the three channels of a pixel sit in
// different warps, so each warp uses a third of every sector that it loads; the L1 cache has to
// make up for it. Bound by the instructions around each tap (address, byte load, conversion), not
// by memory.
//
// Comes to 5% of the rate of a copy with a 3x3 mask and 3% with 5x5 (7680x4320, NVIDIA H200).

#include "common/cuda.cuh"
#include "problem/variant.hpp"
#include "problem/weighted_sum.hpp"

namespace convolution {

using common::DeviceView;

/// `Channels` is known when the kernel is compiled, which makes the address of a tap cheaper.
template <int Channels>
static __global__ void convolve_channel(DeviceView<const std::uint8_t> in,
                                        DeviceView<std::uint8_t> out, const Mask mask) {
    in.channels = out.channels = Channels;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int c = static_cast<int>(threadIdx.z);
    if (x >= in.width || y >= in.height) return;
    out.at(x, y, c) = weighted_sum(in, mask, x, y, c);
}

void cuda_per_channel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    if (block.threads() * in.channels > 1024) {
        throw common::Unsupported("cuda_per_channel: block " + common::to_string(block) +
                                  " has a thread per channel, so more than the 1024 that CUDA "
                                  "allows; with 3 channels use at most 341 pixels");
    }
    const dim3 threads(static_cast<unsigned>(block.width), static_cast<unsigned>(block.height),
                       static_cast<unsigned>(in.channels));
    const auto kernel = in.channels == 1 ? convolve_channel<1> : convolve_channel<3>;
    kernel<<<common::grid_for(in.width, in.height, block), threads, 0, stream>>>(in, out,
                                                                                 options.mask);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_channel",
     .backend = common::Backend::cuda,
     .idea = "3-D blocks, one thread per channel, mask in constant memory"},
    cuda_per_channel};

}  // namespace convolution
