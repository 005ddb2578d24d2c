// One thread per pixel, which adds up all the pixels above and to the left, reading each of them
// from global memory.
//
// Against seq_naive: the same additions, by as many threads as there are pixels. A thread begins at
// its own pixel and walks left and up, so the threads of a warp, which have neighbouring pixels,
// read neighbouring addresses: one or two accesses serve them all. That holds for blocks that are
// wide; in a block one thread wide, the 32 threads of a warp read from 32 rows.
//
// Bound by the loads: one per addition, from the L1 cache where it can be. And by the last block to
// finish: the one at the bottom right has four times as many terms as the average.
//
// Comes to 3.4 million million additions per second (1000x1000, blocks of 1000x1, NVIDIA H200).

#include "common/view.hpp"
#include "problem/launch.cuh"
#include "problem/variant.hpp"

#ifndef VARIANT_SUFFIX
#define VARIANT_SUFFIX ""  // "_l1_off" in the file that compiles this one with the L1 cache off
#endif

namespace integral {

using common::DeviceView;

template <class Sum>
static __global__ void sum_from_global(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= in.width || y >= in.height) return;
    Sum sum = 0;
    for (int j = y; j >= 0; --j) {
        for (int i = x; i >= 0; --i) sum += in.at(i, j);
    }
    sums.at(x, y) = sum;
}

template <class Sum>
static void sum_up(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                   cudaStream_t stream) {
    const Launch launch(in.width, in.height, options);
    sum_from_global<<<launch.grid, launch.threads, 0, stream>>>(in, sums);
    common::check_launch();
}

void cuda_global(DeviceView<const Pixel> in, DeviceView<Sum32> sums, const Options& options,
                 cudaStream_t stream) {
    sum_up(in, sums, options, stream);
}

void cuda_global(DeviceView<const Pixel> in, DeviceView<Sum64> sums, const Options& options,
                 cudaStream_t stream) {
    sum_up(in, sums, options, stream);
}

static const Register registered{
    {.name = "cuda_global" VARIANT_SUFFIX,
     .backend = common::Backend::cuda,
     .idea = "one thread per pixel, every term read from global memory"},
    Cost::quadratic,
    cuda_global,
    cuda_global};

}  // namespace integral
