// A kernel reads the image, the next ones sum up rows and columns.

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
static __global__ void sum_rows(DeviceView<Sum> sums) {
    const int y = line_of_thread();
    if (y >= sums.height) return;
    Sum sum = 0;
    for (int x = 0; x < sums.width; ++x) {
        sum += sums.at(x, y);
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

/// The input as sums.
template <class Sum>
static __global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) sums.at(x, y) = in.at(x, y);
}

template <class Sum>
static void cuda_warp_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                           cudaStream_t stream) {
    // One warp: with more, 8192 lines would not have a block for each multiprocessor.
    const common::Block block = options.block.value_or(common::Block{32, 1});
    const auto blocks_for = [&](int lines) { return (lines - 1) / block.threads() + 1; };
    const dim3 threads = common::threads_of(block);
    scan_rows<<<common::grid_for(in.width, in.height, {32, 8}), dim3(32, 8), 0, stream>>>(in, sums);
    common::check_launch();
    sum_rows<<<blocks_for(in.height), threads, 0, stream>>>(sums);
    common::check_launch();
    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_warp_rows",
     .backend = common::Backend::cuda,
     .idea = "two additions per pixel: a thread scans a row, then a thread a column"},
    Cost::linear,
    cuda_warp_rows<Sum32>,
    cuda_warp_rows<Sum64>};

}  // namespace integral
