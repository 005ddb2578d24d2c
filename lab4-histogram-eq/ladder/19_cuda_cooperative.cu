// `cuda_lane_rows` needs three launches: all counts have to be there before the table is made, and
// the table before the look-up begins. Between two launches the GPU runs empty. Here one
// cooperative kernel does everything. All its blocks are resident, so that they can wait for each
// other at a grid-wide barrier. After it, each block makes the table for itself: the scan of 256
// counts by warp shuffles (ladder/parts/block_table.cuh) takes less time than a launch.
//
// Predicted: at 7680x4320, memory still takes the time that `cuda_vectors` predicts; the few us of
// two launches are saved. At 256x256 three launches are most of the time that `cuda_shared_atomics`
// takes; a call will take about half as long there. It takes more than half: the barrier and the
// table remain.
//
// Bound by reading the image twice: 3 bytes per pixel, of which the L2 cache may still hold some
// at the second read. `cuda_best` keeps pixels in shared memory.

#include <cooperative_groups.h>

#include <algorithm>

#include "ladder/parts/lane_rows.cuh"
#include "problem/make_table.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

/// `histogram` is zero.
static __global__ void __launch_bounds__(1024)
    equalize_in_one_launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                           Count* histogram) {
    __shared__ uint4 rows[levels * row_quads<warp>];
    constexpr Kept keep_nothing{nullptr, 0};
    clear_rows<warp>(rows);
    __syncthreads();
    count_vectors<warp>(in, rows, keep_nothing);
    __syncthreads();
    const int level = thread_in_block();
    const Count mine = level < levels ? sum_of_row<warp>(rows, level) : 0;
    if (mine > 0) atomicAdd(&histogram[level], mine);
    cooperative_groups::this_grid().sync();
    make_rows<warp>(level < levels ? histogram[level] : 0, Count{1} * in.width * in.height, rows);
    look_up_vectors<warp>(in, out, rows, keep_nothing);
}

void cuda_cooperative(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    if (block.threads() < levels || block.threads() % warp != 0) {
        throw common::Unsupported("block " + to_string(block) +
                                  ": cuda_cooperative needs whole warps, and a thread for each of "
                                  "the " +
                                  std::to_string(levels) + " levels");
    }
    const Tables tables(*options.scratch, stream);
    Count* histogram = tables.histogram;
    // One block per multiprocessor is resident for sure.
    const unsigned multiprocessors = common::device_attribute(cudaDevAttrMultiProcessorCount);
    const unsigned blocks = std::min(vector_blocks(in, block), multiprocessors);
    void* arguments[] = {&in, &out, &histogram};
    common::check(cudaLaunchCooperativeKernel(equalize_in_one_launch, blocks, threads_of(block),
                                              arguments, 0, stream));
}

static const Register registered{
    {.name = "cuda_cooperative",
     .backend = common::Backend::cuda,
     .idea = "one cooperative launch: a grid-wide barrier instead of two more launches"},
    cuda_cooperative};

}  // namespace equalize
