// `cuda_three_kernels` is bound on small images by its round trip to the CPU. From here on the GPU
// makes the table, and a thread reads four pixels in one load. This rung has the simplest
// histogram: all threads add their pixels to one histogram in global memory with atomic additions.
//
// Bound by atomic contention: one addition per pixel, all to 256 addresses, which the L2 cache
// serializes per address. The time depends on the image: an image of one level takes 4.0 times as
// long as the landscape. On large images this rung is slower than the one before, whose blocks
// count in shared memory.
//
// Measured: 0.45 % of the bandwidth of a copy (3072x4096, NVIDIA H200).

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static __global__ void __launch_bounds__(1024)
    count_in_global(DeviceView<const std::uint8_t> in, Count* histogram) {
    for_each_pixel(in, [=](std::uint8_t level) { atomicAdd(&histogram[level], Count{1}); });
}

void cuda_global_atomics(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    count_in_global<<<row_blocks(in.height, block), threads_of(block), 0, stream>>>(
        in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

static const Register registered{
    {.name = "cuda_global_atomics",
     .backend = common::Backend::cuda,
     .idea = "one histogram in global memory; from here on the GPU makes the table"},
    cuda_global_atomics};

}  // namespace equalize
