// One thread per pixel reads all pixels above and to the left from global memory.
//
// Against omp_outer: the same additions, but as many threads as pixels. A thread starts at its own
// pixel and walks left and up, so the lanes of a warp, which hold neighbouring pixels, read
// neighbouring addresses: coalesced access, if blocks are wide. In a block one thread wide, the 32
// lanes read from 32 rows.
//
// The loads bound it: one per addition, from the L1 cache at best. So does load imbalance: the
// block at the bottom right has four times as many terms as the average.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

template <class Sum>
static __global__ void sum_from_global(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    Sum sum = 0;
    for (int j = y; j >= 0; --j) {
        for (int i = x; i >= 0; --i) sum += in.at(i, j);
    }
    sums.at(x, y) = sum;
}

template <class Sum>
static void cuda_global(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                        cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 grid = options.grid.width > 0 ? dim3(options.grid.width, options.grid.height)
                                             : common::grid_for(in.width, in.height, block);
    sum_from_global<<<grid, common::threads_of(block), 0, stream>>>(in, sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_global",
     .backend = common::Backend::cuda,
     .idea = "one thread per pixel, every term read from global memory"},
    Cost::quadratic,
    cuda_global<Sum32>,
    cuda_global<Sum64>};

}  // namespace integral
