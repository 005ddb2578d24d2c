// The image is copied to words once. Then each tap is fetched with an atomic operation that changes
// nothing, so that all threads see the same, up to date word.

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static __global__ void copy_words(DeviceView<const std::uint8_t> in, unsigned* words, int per_row) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (w >= per_row || y >= in.height) return;
    if (4 * w + 4 <= in.row_length()) {
        words[y * per_row + w] = *reinterpret_cast<const unsigned*>(in.row(y) + 4 * w);
    } else {
        unsigned last = 0;
        for (int i = 0; 4 * w + i < in.row_length(); ++i) last |= in.row(y)[4 * w + i] << 8 * i;
        words[y * per_row + w] = last;
    }
}

static __global__ void convolve(unsigned* words, int per_row, DeviceView<std::uint8_t> out,
                                const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const int k = mask.radius();
    for (int c = 0; c < out.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, out.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, out.width - 1 - x); ++j) {
                const int byte = (x + j) * out.channels + c;
                const unsigned word = atomicAdd(&words[(y + i) * per_row + byte / 4], 0u);
                sum += static_cast<float>(word >> 8 * (byte % 4) & 0xff) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void cuda_shared(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const int per_row = static_cast<int>((in.row_length() + 3) / 4);
    auto* words = static_cast<unsigned*>(
        options.scratch->get(0, std::size_t{sizeof(unsigned)} * per_row * in.height));
    copy_words<<<common::grid_for(per_row, in.height, block), threads, 0, stream>>>(in, words,
                                                                                    per_row);
    common::check_launch();
    convolve<<<common::grid_for(in.width, in.height, block), threads, 0, stream>>>(
        words, per_row, out, options.mask);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_shared", .backend = common::Backend::cuda, .idea = "fetches of words"},
    cuda_shared};

}  // namespace convolution
