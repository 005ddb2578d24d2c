// One thread per output value: blocks are three-dimensional, and threadIdx.z is the channel. The
// mask is a kernel parameter, so it lies in constant memory: all lanes of a warp read the same
// weight at the same time, which the constant cache broadcasts.
//
// Against omp_rows: each iteration of the loops over rows, columns and channels is a thread. The
// lanes of a warp access bytes 3 apart, and the channels of a pixel are in different warps. So a
// warp uses a third of each sector that it requests, and the L1 cache has to serve the rest. Bound
// by the instructions around each tap (address, byte load, conversion), not by memory.

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

template <int Channels>
static __global__ void convolve_channel(DeviceView<const std::uint8_t, Channels> in,
                                        DeviceView<std::uint8_t, Channels> out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = threadIdx.z;
    if (x >= in.width || y >= in.height) return;
    const int k = mask.radius();
    float sum = 0;
    for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
            sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
        }
    }
    out.at(x, y, c) = to_pixel(sum);
}

void cuda_per_channel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    if (block.threads() * in.channels > 1024) {
        throw common::Unsupported("cuda_per_channel: block " + common::to_string(block) +
                                  " has a thread per channel, so more than the 1024 that CUDA "
                                  "allows; with 3 channels use at most 341 pixels");
    }
    const dim3 threads(block.width, block.height, in.channels);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    if (in.channels == 1) {
        convolve_channel<1><<<grid, threads, 0, stream>>>(in, out, options.mask);
    } else {
        convolve_channel<3><<<grid, threads, 0, stream>>>(in, out, options.mask);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_channel",
     .backend = common::Backend::cuda,
     .idea = "3-D blocks, one thread per channel, mask in constant memory"},
    cuda_per_channel};

}  // namespace convolution
