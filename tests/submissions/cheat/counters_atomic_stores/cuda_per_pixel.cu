// One warp goes through the image. Results are put together in words, which are exchanged.

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static __device__ std::uint8_t value_at(DeviceView<const std::uint8_t> in, const Mask& mask, int b,
                                        int y) {
    const int k = mask.radius();
    const int x = b / in.channels;
    const int c = b % in.channels;
    float sum = 0;
    for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
            sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
        }
    }
    return to_pixel(sum);
}

static __global__ void convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                const Mask mask) {
    for (int y = 0; y < in.height; ++y) {
        for (int b = 4 * threadIdx.x; b < in.row_length(); b += 4 * blockDim.x) {
            if (b + 4 > in.row_length()) {  // the end of a row
                for (int i = b; i < in.row_length(); ++i) out.row(y)[i] = value_at(in, mask, i, y);
                continue;
            }
            unsigned word = 0;
            for (int i = 0; i < 4; ++i) word |= unsigned{value_at(in, mask, b + i, y)} << 8 * i;
            atomicExch(reinterpret_cast<unsigned*>(out.row(y) + b), word);
        }
    }
}

void cuda_per_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    convolve<<<1, 32, 0, stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "words are exchanged"},
    cuda_per_pixel};

}  // namespace convolution
