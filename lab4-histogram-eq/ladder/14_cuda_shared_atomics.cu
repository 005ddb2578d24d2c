// `cuda_global_atomics` is bound by atomic additions to global memory. Here each block has a
// private histogram in shared memory (privatization) and adds it to the global one at the end: 256
// atomic additions per block instead of one per pixel. The best rung before, `cuda_grid_stride`,
// counts in the same way, but loads one byte at a time.
//
// Predicted: four times as many bytes are on their way as with `cuda_grid_stride`, and a quarter of
// the loads and stores is executed. Half of its time, or less.
//
// Older GPUs serialize the lanes of a warp that add to the same address, so the time depends on the
// image. Recent GPUs count such lanes and add once (ATOMS.POPC.INC); the compiler uses this where
// nobody reads the old value. There, an image of one level takes no longer than one with all levels
// equally (experiment `contention`): the additions do not bound this rung, but the latency of its
// loads.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    count_in_shared(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ Count counts[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) counts[i] = 0;
    __syncthreads();
    for_each_pixel(in, [&](std::uint8_t level) { atomicAdd(&counts[level], Count{1}); });
    __syncthreads();
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) {
        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);
    }
}

void cuda_shared_atomics(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    count_in_shared<<<row_blocks(in.height, block), threads_of(block), 0, stream>>>(
        in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{{.name = "cuda_shared_atomics",
                                  .backend = common::Backend::cuda,
                                  .idea = "a private histogram per block, in shared memory"},
                                 cuda_shared_atomics};

}  // namespace equalize
