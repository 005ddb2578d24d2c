// `cuda_shared_atomics` has atomic contention between the warps of a block. Here each warp has a
// private histogram in shared memory: 1 KiB per warp, and a reduction over the warps at the end.
//
// Bound by contention within a warp, on GPUs that serialize lanes with equal addresses: in an image
// of one level all 32 lanes conflict.
//
// Other GPUs gain nothing: contention does not bound `cuda_shared_atomics` there, but the latency
// of its loads of 4 bytes, which are the same here. Nsight Compute counts the same atomic
// additions, too, in requests and in wavefronts (counts.csv). In both rungs, the lanes of a warp
// share one histogram, and conflict in the same banks.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static constexpr int warp_size = 32;

static constexpr __host__ __device__ int warps_in(int threads) {
    return (threads + warp_size - 1) / warp_size;
}

static __global__ void __launch_bounds__(1024)
    count_by_warps(DeviceView<const std::uint8_t> in, Count* histogram) {
    extern __shared__ Count counts[];  // one histogram after the other
    const int thread = thread_in_block();
    const int warps = warps_in(threads_in_block());
    for (int i = thread; i < warps * levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    Count* mine = counts + thread / warp_size * levels;
    for_each_pixel(in, [=](std::uint8_t level) { atomicAdd(&mine[level], Count{1}); });
    __syncthreads();
    for (int level = thread; level < levels; level += threads_in_block()) {
        Count sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += counts[warp * levels + level];
        if (sum > 0) atomicAdd(&histogram[level], sum);
    }
}

void cuda_warp_histograms(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    const std::size_t bytes = warps_in(block.threads()) * levels * sizeof(Count);
    count_by_warps<<<row_blocks(in.height, block), threads_of(block), bytes, stream>>>(
        in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_warp_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "a private histogram per warp, in shared memory"},
                                 cuda_warp_histograms};

}  // namespace equalize
