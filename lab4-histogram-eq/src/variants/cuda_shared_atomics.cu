// Each block has a histogram of its own in shared memory, which lies on the multiprocessor itself,
// and adds it to the one in global memory in the end.
//
// Against cuda_global_atomics: the additions of a block disturb no other block, and 256 per block
// go to global memory instead of one per pixel. Bound by the atomic additions still: those of a
// warp that go to the same address happen one after the other, up to 32 of them, and the warps of a
// block get in each other's way. So it still depends on the picture.

#include "lookup.cuh"
#include "shared_histogram.cuh"

namespace equalize {

using common::DeviceView;

void cuda_shared_atomics(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Tables tables(*options.scratch, stream);
    count_in_shared<<<row_blocks(in.height, block), threads_of(block), 0, stream>>>(
        in, tables.histogram);
    common::check_launch();
    launch_look_up(in, out, tables, block, stream);
}

}  // namespace equalize
