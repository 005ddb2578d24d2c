// `cuda_grid_stride` waits for single bytes. From here on a thread reads and writes four pixels at
// once (problem/pixels.cuh, problem/lookup.cuh). Is it still worth clearing and merging a histogram
// per block? This rung has none: all threads add their pixels to one histogram in global memory
// with atomic additions. It loses. The three rungs after it differ from it in where they count
// only.
//
// Bound by atomic contention: one addition per pixel, all to 256 addresses, which the L2 cache
// serializes per address. `run --explain --against cuda_shared_atomics` counts as many atomic
// requests to global memory here as that rung makes to shared memory. The time depends on the
// image: one level takes several times as long as all levels equally (experiment `contention`).

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
     .idea = "four pixels per load; one histogram in global memory: loses"},
    cuda_global_atomics};

}  // namespace equalize
