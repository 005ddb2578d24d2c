// The simplest histogram on a GPU: every thread adds its pixels to the one histogram in global
// memory, atomically. The table is made on the GPU.
//
// Against cuda_three_kernels: no way to the CPU and back, and a thread reads four pixels at once.
// Bound by the atomic additions: one per pixel, all to 256 addresses in the L2 cache, and those to
// one address happen one after the other. So the time depends on the picture: it is worst where all
// pixels have the same level.
//
// Comes to 0.4% of the rate of a copy (3072x4096, NVIDIA H200).

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
     .idea = "all threads count in one histogram in global memory; table on the GPU from here on"},
    cuda_global_atomics};

}  // namespace equalize
