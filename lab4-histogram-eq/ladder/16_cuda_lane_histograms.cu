// `cuda_warp_histograms` has contention between the lanes of a warp. Here each lane has a private
// histogram in a shared-memory bank of its own: the count of a level for lane l is word
// 32 * level + l, which lies in bank l. No image causes a bank conflict.
//
// All warps of a block share the 32 histograms of 1 KiB, so additions stay atomic; two warps
// conflict only where the same lane has the same level at the same time. A block clears and reduces
// 8192 counts, so blocks are large and take many rows.
//
// It is no faster than `cuda_shared_atomics`. The conflicts are gone: Nsight Compute counts as many
// wavefronts as requests, where that rung has more (counts.csv). But the latency of the loads is
// the limit, as there. It can be slower; a likely reason is that a block clears and adds up 32
// histograms. `cuda_lane_rows` comes back to this layout when loads are no longer the limit.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static constexpr int lanes = 32;

static __global__ void __launch_bounds__(1024)
    count_by_lanes(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels * lanes];
    const int thread = thread_in_block();
    for (int i = thread; i < levels * lanes; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    Count* mine = counts + thread % lanes;
    for_each_pixel(in, [=](std::uint8_t level) { atomicAdd(&mine[level * lanes], Count{1}); });
    __syncthreads();
    for (int level = thread; level < levels; level += threads_in_block()) {
        Count sum = 0;
#pragma unroll 8                           // all 32 would need the registers of a second block
        for (int i = 0; i < lanes; ++i) {  // neighbouring threads start in different banks
            sum += counts[level * lanes + (i + thread) % lanes];
        }
        if (sum > 0) atomicAdd(&histogram[level], sum);
    }
}

void cuda_lane_histograms(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                          const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    const Tables tables(*options.scratch, stream);
    count_by_lanes<<<row_blocks(in.height, block), threads_of(block), 0, stream>>>(
        in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{
    {.name = "cuda_lane_histograms",
     .backend = common::Backend::cuda,
     .idea = "a private histogram per lane, each in a bank of its own"},
    cuda_lane_histograms};

}  // namespace equalize
