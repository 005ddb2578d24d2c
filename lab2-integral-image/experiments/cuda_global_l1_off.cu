// The kernel of cuda_global, with the L1 cache off: global loads are cached in L2 only.
//
// CMakeLists.txt compiles this file with -Xptxas=-dlcm=cg. The original report (002) asks what the
// L1 cache is worth to each of its two kernels.

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
static void cuda_global_l1_off(DeviceView<const Pixel> in, DeviceView<Sum> sums,
                               const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const dim3 grid = options.grid.width > 0 ? dim3(options.grid.width, options.grid.height)
                                             : common::grid_for(in.width, in.height, block);
    sum_from_global<<<grid, common::threads_of(block), 0, stream>>>(in, sums);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_global_l1_off",
     .backend = common::Backend::cuda,
     .idea = "cuda_global with the L1 cache off: global loads are cached in L2 only"},
    Cost::quadratic,
    cuda_global_l1_off<Sum32>,
    cuda_global_l1_off<Sum64>};

}  // namespace integral
