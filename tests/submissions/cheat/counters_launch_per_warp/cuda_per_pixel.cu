// A warp computes 160 pixels of the image, then the next warp is launched.

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static constexpr int per_thread = 5;

static __global__ void convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                const Mask mask, int first) {
    const int k = mask.radius();
    for (int p = 0; p < per_thread; ++p) {
        const int at = first + p * blockDim.x + threadIdx.x;
        const int x = at % in.width;
        const int y = at / in.width;
        if (y >= in.height) return;
        for (int c = 0; c < in.channels; ++c) {
            float sum = 0;
            for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
                for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                    sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

void cuda_per_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    for (int first = 0; first < in.width * in.height; first += per_thread * 32) {
        convolve<<<1, 32, 0, stream>>>(in, out, options.mask, first);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "a warp after the other"},
    cuda_per_pixel};

}  // namespace convolution
