// Lanes of `cuda_vectors` conflict where they count or look up different levels in the same bank.
// `cuda_lane_histograms` counts without conflicts, but gained nothing while loads were the limit.
// Here each lane counts in a bank of its own again, and also looks up in one: shared memory has a
// row per level, with a word per lane, first of counts, then of values
// (ladder/parts/lane_rows.cuh). The distance of two rows is a power of two, so that one byte
// permutation makes an address of a pixel and a lane: two instructions count a pixel, three look it
// up.
//
// Predicted: one wavefront per request, for any image, so that the time no longer depends on it.
// `cuda_vectors` needs 8852 wavefronts for 4064 requests of counting, and 496 more than requests to
// look up (`run scene:landscape:480x270 --explain --variant cuda_vectors`). But a block now clears
// and fills rows of 32 KiB: on small images, this costs more than the conflicts.
//
// Nsight Compute confirms the wavefronts (counts.csv), but a large image gains little: conflicts
// are a small part of the time of `cuda_vectors` there, and its memory accesses are the same here.
//
// Bound by reading the image twice, and by three launches: the last blocks of a kernel end before
// the first of the next begin, and a new block has to fill its rows first.

#include "ladder/parts/lane_rows.cuh"
#include "problem/make_table.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

static constexpr Kept keep_nothing{nullptr, 0};

static __global__ void __launch_bounds__(1024)
    count_in_rows(DeviceView<const std::uint8_t> in, Count* histogram) {
    __shared__ uint4 rows[levels * row_quads<warp>];
    clear_rows<warp>(rows);
    __syncthreads();
    count_vectors<warp>(in, rows, keep_nothing);
    __syncthreads();
    for (int level = thread_in_block(); level < levels; level += threads_in_block()) {
        const Count sum = sum_of_row<warp>(rows, level);
        if (sum > 0) atomicAdd(&histogram[level], sum);
    }
}

static __global__ void __launch_bounds__(1024)
    look_up_in_rows(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const std::uint8_t* table) {
    __shared__ uint4 rows[levels * row_quads<warp>];
    fill_rows<warp>(table, rows);
    __syncthreads();
    look_up_vectors<warp>(in, out, rows, keep_nothing);
}

void cuda_lane_rows(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 32});
    const Tables tables(*options.scratch, stream);
    const unsigned blocks = vector_blocks(in, block);
    count_in_rows<<<blocks, threads_of(block), 0, stream>>>(in, tables.histogram);
    common::check_launch();
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    look_up_in_rows<<<blocks, threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_lane_rows",
     .backend = common::Backend::cuda,
     .idea = "as cuda_vectors, a histogram and a table per lane: no bank conflict"},
    cuda_lane_rows};

}  // namespace equalize
