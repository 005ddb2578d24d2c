// Shared memory has 32 banks, each of which serves one address at a time. Here each lane has its
// own histogram, in its own bank: the count of a level for lane l stands at word 32 * level + l.
// The 32 lanes of a warp then never need the same bank, whatever their pixels are.
//
// Against cuda_warp_histograms: the time does not depend on the picture. All warps of a block share
// the 32 histograms, 32 KB, so additions stay atomic; two warps meet only where the same lane of
// both has the same level at the same moment. The price is 8192 counts to clear and to add up for
// each block, so blocks are large and take many rows. Bound by the additions themselves: a warp's
// take one pass through shared memory, for one pixel of each lane.
//
// Comes to 32% of the rate of a copy (3072x4096, NVIDIA H200). cuda_shared_atomics is as fast,
// where the GPU counts lanes with equal addresses by itself.

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
#pragma unroll 8  // all 32 at once would take the registers of a second block
        for (int i = 0; i < lanes; ++i) {  // begins in another bank than the neighbouring threads
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

static const Register registered{{.name = "cuda_lane_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "a histogram for each lane, in a memory bank of its own"},
                                 cuda_lane_histograms};

}  // namespace equalize
