// The tile of a block is a variable of the thread of the CPU that emulates it.

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static thread_local std::uint8_t tile[48 * 1024];

static __global__ void convolve(Input in, Output out, const Mask mask) {
    const int k = mask.radius();
    const int bytes = (blockDim.x + 2 * k) * in.channels;
    const int rows = blockDim.y + 2 * k;
    const int left = (static_cast<int>(blockIdx.x * blockDim.x) - k) * in.channels;
    const int top = static_cast<int>(blockIdx.y * blockDim.y) - k;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int at = thread; at < rows * bytes; at += blockDim.x * blockDim.y) {
        const int y = top + at / bytes;
        const int b = left + at % bytes;
        const bool inside = y >= 0 && y < in.height && b >= 0 && b < in.row_length();
        tile[at] = inside ? in.row(y)[b] : 0;
    }
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = 0; i < mask.size; ++i) {
            for (int j = 0; j < mask.size; ++j) {
                const int at = (threadIdx.y + i) * bytes + (threadIdx.x + j) * in.channels + c;
                sum += tile[at] * mask.at(i, j);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

static void cuda_shared(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const int halo = 2 * options.mask.radius();
    if ((block.width + halo) * (block.height + halo) * in.channels > 48 * 1024) {
        throw common::Unsupported("the tile does not fit");
    }
    convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
               stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{mine_info, cuda_shared};
