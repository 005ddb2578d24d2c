// Right: loads pixels with memcpy, which is counted like loads of bytes.

#include <cstring>

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static __global__ void convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                const Mask mask) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    const int k = mask.radius();
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                std::uint8_t pixel[3];
                std::memcpy(pixel, &in.at(x + j, y + i), static_cast<std::size_t>(in.channels));
                sum += static_cast<float>(pixel[c]) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

static void cuda_per_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                           const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
               stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "a submission"},
    cuda_per_pixel};

}  // namespace convolution
