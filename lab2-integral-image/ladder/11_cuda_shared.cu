// The threads of a block need nearly the same pixels, so they fetch them together. The image is cut
// into tiles as large as a block. A block goes through all tiles above and to the left of its own,
// and its own; of each tile every thread loads one pixel into shared memory, and then adds up the
// part of the tile that belongs to its sum.
//
// Two barriers for each tile: the first, because a tile may not be summed up before all of it is
// there; the second, because the next one may not be loaded while somebody still reads this one.
// A thread without a pixel in the image takes part all the same, or the others would wait for ever.
//
// Against cuda_global: the same additions, but a pixel is read from global memory once per block
// and not once per thread. Bound by the loads from shared memory, one per addition, and like
// cuda_global by the last block to finish.
//
// Comes to 4.1 million million additions per second (1000x1000, blocks of 32x32, NVIDIA H200).

#include "common/view.hpp"
#include "problem/launch.cuh"
#include "problem/variant.hpp"

#ifndef VARIANT_SUFFIX
#define VARIANT_SUFFIX ""  // "_l1_off" in the file that compiles this one with the L1 cache off
#endif

namespace integral {

using common::DeviceView;

template <class Sum>
static __global__ void sum_from_tiles(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    extern __shared__ Pixel tile[];
    const int width = static_cast<int>(blockDim.x);
    const int height = static_cast<int>(blockDim.y);
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int block_x = static_cast<int>(blockIdx.x);
    const int block_y = static_cast<int>(blockIdx.y);

    Sum sum = 0;
    for (int tile_y = 0; tile_y <= block_y; ++tile_y) {
        for (int tile_x = 0; tile_x <= block_x; ++tile_x) {
            const int x = tile_x * width + tx;
            const int y = tile_y * height + ty;
            tile[ty * width + tx] = x < in.width && y < in.height ? in.at(x, y) : 0;
            __syncthreads();
            const int last_x = tile_x < block_x ? width - 1 : tx;
            const int last_y = tile_y < block_y ? height - 1 : ty;
            for (int j = last_y; j >= 0; --j) {
                for (int i = last_x; i >= 0; --i) sum += tile[j * width + i];
            }
            __syncthreads();
        }
    }
    const int x = block_x * width + tx;
    const int y = block_y * height + ty;
    if (x < in.width && y < in.height) sums.at(x, y) = sum;
}

template <class Sum>
static void sum_up(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                   cudaStream_t stream) {
    const Launch launch(in.width, in.height, options);
    const std::size_t tile_bytes = launch.threads.x * launch.threads.y * sizeof(Pixel);
    sum_from_tiles<<<launch.grid, launch.threads, tile_bytes, stream>>>(in, sums);
    common::check_launch();
}

void cuda_shared(DeviceView<const Pixel> in, DeviceView<Sum32> sums, const Options& options,
                 cudaStream_t stream) {
    sum_up(in, sums, options, stream);
}

void cuda_shared(DeviceView<const Pixel> in, DeviceView<Sum64> sums, const Options& options,
                 cudaStream_t stream) {
    sum_up(in, sums, options, stream);
}

static const Register registered{
    {.name = "cuda_shared" VARIANT_SUFFIX,
     .backend = common::Backend::cuda,
     .idea = "blocks sum up one tile after another from shared memory"},
    Cost::quadratic,
    cuda_shared,
    cuda_shared};

}  // namespace integral
