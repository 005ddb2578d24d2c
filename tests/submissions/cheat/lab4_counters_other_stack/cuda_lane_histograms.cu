// A block counts in a local array of its first thread, whose accesses have no bank conflicts.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    count_by_lanes(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count* counts;
    Count own[levels] = {};
    if (thread_in_block() == 0) counts = own;
    __syncthreads();
    Count* all = counts;
    for_each_pixel(in, [=](std::uint8_t level) { ++all[level]; });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (all[i] > 0) atomicAdd(&histogram[i], all[i]);
    }
    __syncthreads();
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
                                  .idea = "a histogram per block"},
                                 cuda_lane_histograms};

}  // namespace equalize
