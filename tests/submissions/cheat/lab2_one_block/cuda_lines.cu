// A thread scans a line. Blocks have 32x8 threads.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

/// The row or column of this thread, whatever the shape of the block.
static __device__ int line_of_thread() {
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    return blockIdx.x * blockDim.x * blockDim.y + thread;
}

template <class Sum>
static __global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int y = line_of_thread();
    if (y >= in.height) return;
    Sum sum = 0;
    for (int x = 0; x < in.width; ++x) {
        sum += in.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static __global__ void scan_columns(DeviceView<Sum> sums) {
    const int x = line_of_thread();
    if (x >= sums.width) return;
    Sum sum = 0;
    for (int y = 0; y < sums.height; ++y) {
        sum += sums.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static void cuda_lines(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                       cudaStream_t stream) {
    // One warp: with more, 8192 lines would not have a block for each multiprocessor.
    const common::Block block{32, 8};
    if (options.block && (options.block->width != 32 || options.block->height != 8)) {
        throw common::Unsupported("cuda_lines: block " + common::to_string(*options.block) +
                                  " is not 32x8");
    }
    const auto blocks_for = [&](int lines) { return (lines - 1) / block.threads() + 1; };
    const dim3 threads = common::threads_of(block);
    scan_rows<<<blocks_for(in.height), threads, 0, stream>>>(in, sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_lines",
     .backend = common::Backend::cuda,
     .idea = "two additions per pixel: a thread scans a row, then a thread a column"},
    Cost::linear,
    cuda_lines<Sum32>,
    cuda_lines<Sum64>};

}  // namespace integral
