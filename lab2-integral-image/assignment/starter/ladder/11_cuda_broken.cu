// Task D of the handout. On a GPU, the sums of this variant are right nearly always. It has two
// faults all the same. Find them, name the rule that each one breaks, and repair them.
//
// cuda_global is bound by its loads from global memory. Here the threads of a block share them by
// tiling: the image is cut into tiles of the size of a block, and a block goes through all tiles
// above and to the left of its own, and its own. Each thread loads one pixel of a tile into shared
// memory, then adds the part of the tile that belongs to its sum.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

template <class Sum>
static __global__ void sum_from_tiles(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    extern __shared__ Pixel tile[];
    const int width = blockDim.x;
    const int height = blockDim.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int block_x = blockIdx.x;
    const int block_y = blockIdx.y;

    Sum sum = 0;
    for (int tile_y = 0; tile_y <= block_y; ++tile_y) {
        for (int tile_x = 0; tile_x <= block_x; ++tile_x) {
            tile[ty * width + tx] = in.at(tile_x * width + tx, tile_y * height + ty);
            __syncthreads();
            const int last_x = tile_x < block_x ? width - 1 : tx;
            const int last_y = tile_y < block_y ? height - 1 : ty;
            for (int j = last_y; j >= 0; --j) {
                for (int i = last_x; i >= 0; --i) sum += tile[j * width + i];
            }
        }
    }
    const int x = block_x * width + tx;
    const int y = block_y * height + ty;
    if (x < in.width && y < in.height) sums.at(x, y) = sum;
}

template <class Sum>
static void cuda_broken(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                        cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 grid = options.grid.width > 0 ? dim3(options.grid.width, options.grid.height)
                                             : common::grid_for(in.width, in.height, block);
    const std::size_t tile_bytes = block.threads() * sizeof(Pixel);
    sum_from_tiles<<<grid, common::threads_of(block), tile_bytes, stream>>>(in, sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_broken",
     .backend = common::Backend::cuda,
     .idea = "tiling: a block adds up one tile after another from shared memory; task D"},
    Cost::quadratic,
    cuda_broken<Sum32>,
    cuda_broken<Sum64>};

}  // namespace integral
