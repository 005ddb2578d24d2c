// Lab 4, histogram equalization: the parts of cuda_best with mistakes.

#include <cooperative_groups.h>

#include "corpus.hpp"

namespace corpus {
namespace {

using Count = unsigned;

constexpr int levels = 256;
constexpr int warp = 32;

enum Mistake {
    none,
    no_first_barrier,
    barrier_in_branch,
    returned_lanes,
    no_grid_sync,
    same_histogram,
    one_byte_more,
};

// --- the table in a block of 512 threads
// ----------------------------------------------------------

template <Mistake mistake>
__global__ void make_block_table(const Count* counts, std::uint8_t* table) {
    __shared__ Count warp_sums[levels / warp];
    __shared__ std::uint8_t values[levels];
    const int level = static_cast<int>(threadIdx.x);
    const int lane = level % warp;
    if (mistake == returned_lanes && level % 3 == 2) return;
    const Count count = level < levels ? counts[level] : 0;
    Count cdf = count;
    for (int distance = 1; distance < warp; distance *= 2) {
        // fault: table_returned_lanes
        const Count before = __shfl_up_sync(0xffffffffu, cdf, static_cast<unsigned>(distance));
        if (lane >= distance) cdf += before;
    }
    // fault: table_no_first_barrier
    if (level < levels && lane == warp - 1) warp_sums[level / warp] = cdf;
    if (mistake != no_first_barrier) __syncthreads();
    for (int w = 0; w < levels / warp; ++w) {
        // fault: table_no_first_barrier
        if (w < level / warp) cdf += warp_sums[w];
    }
    if (level < levels) {
        values[level] = static_cast<std::uint8_t>(cdf);
        // fault: table_barrier_in_branch
        if (mistake == barrier_in_branch) __syncthreads();
    }
    if (mistake != barrier_in_branch) __syncthreads();
    if (level < levels) table[level] = values[levels - 1 - level];
}

template <Mistake mistake>
cudaError_t table() {
    const Memory<Count> counts(levels, 1);
    const Memory<std::uint8_t> values(levels);
    make_block_table<mistake><<<1, 2 * levels>>>(counts, values);
    return cudaGetLastError();
}

// --- a cooperative launch
// -------------------------------------------------------------------------

/// `histogram` is zero; the kernel sets `next` to zero for the next call.
template <Mistake mistake>
__global__ void equalize_at_once(const std::uint8_t* pixels, Count* histogram, Count* next,
                                 Count* cdf) {
    const int level = static_cast<int>(threadIdx.x);
    // fault: grid_same_histogram
    if (blockIdx.x == 0) next[level] = 0;
    // fault: grid_no_sync, grid_same_histogram
    atomicAdd(&histogram[pixels[blockIdx.x * levels + threadIdx.x]], 1u);
    if (mistake != no_grid_sync) cooperative_groups::this_grid().sync();
    // fault: grid_no_sync
    cdf[blockIdx.x * levels + threadIdx.x] = histogram[level];
}

template <Mistake mistake>
cudaError_t at_once() {
    constexpr int blocks = 4;
    const Memory<std::uint8_t> memory(blocks * levels, 3);
    const Memory<Count> histograms(2 * levels, 0), cdfs(blocks * levels);
    const std::uint8_t* pixels = memory;
    Count* histogram = histograms;
    Count* next = histogram + (mistake == same_histogram ? 0 : levels);
    Count* cdf = cdfs;
    void* arguments[] = {&pixels, &histogram, &next, &cdf};
    return cudaLaunchCooperativeKernel(equalize_at_once<mistake>, blocks, levels, arguments, 0,
                                       nullptr);
}

// --- the end of a row
// -----------------------------------------------------------------------------

__device__ void store_first(std::uint8_t* to, unsigned pixels, int count) {
    for (int i = 0; i < count; ++i) {
        // fault: vectors_one_byte_more
        to[i] = static_cast<std::uint8_t>(pixels >> 8 * (i % 4));
    }
}

template <Mistake mistake>
__global__ void look_up_vectors(DeviceView<std::uint8_t> out) {
    const int x = 16 * static_cast<int>(threadIdx.x);
    const int left = out.width - x + (mistake == one_byte_more ? 1 : 0);
    store_first(out.row(static_cast<int>(blockIdx.x)) + x, 0x01020304, min(left, 16));
}

template <Mistake mistake>
cudaError_t vectors() {
    const Image out(90, 20);
    look_up_vectors<mistake><<<20, 6>>>(view(out));
    return cudaGetLastError();
}

}  // namespace

std::vector<Case> lab4_expert_cases() {
    using enum Tool;
    const std::string expert = "lab4-histogram-eq/expert/cooperative/";
    const std::string parts = "lab4-histogram-eq/ladder/parts/";
    return with_file(
        {
            {"table_no_first_barrier", parts + "block_table.cuh", "make_block_table",
             "no barrier between writing and reading the sums of the warps",
             "race in shared memory", racecheck, table<no_first_barrier>, table<none>},
            {"table_barrier_in_branch", parts + "block_table.cuh", "make_block_table",
             "a barrier in a branch that only the first 256 threads take",
             "__syncthreads() that not all threads reach", synccheck, table<barrier_in_branch>,
             table<none>},
            {"table_returned_lanes", parts + "block_table.cuh", "make_block_table",
             "some lanes have returned before the shuffle", "shuffle from a lane that is not there",
             synccheck, table<returned_lanes>, table<none>},
            {"grid_no_sync", expert + "cuda_best.cu", "equalize_at_once",
             "no barrier of the grid between counting and reading", "race between blocks",
             racecheck, at_once<no_grid_sync>, at_once<none>},
            {"grid_same_histogram", expert + "cuda_best.cu", "equalize_at_once",
             "double buffering with the wrong half: a block clears what others count in",
             "race between blocks", racecheck, at_once<same_histogram>, at_once<none>},
            {"vectors_one_byte_more", parts + "vectors.cuh", "look_up_vectors",
             "a byte too many is stored at the end of a row",
             "out of bounds: a 1-byte store of global memory", memcheck, vectors<one_byte_more>,
             vectors<none>},
        },
        __FILE__);
}

}  // namespace corpus
