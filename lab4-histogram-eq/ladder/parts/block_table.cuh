#pragma once

#include <cstdint>

#include "problem/pixels.cuh"
#include "problem/table.hpp"

namespace equalize {

constexpr int warp = 32;

/// The table in shared memory, and what a block needs to make it.
struct BlockTable {
    Count warp_sums[levels / warp];
    Count cdf_min;
    std::uint8_t values[levels];
};

/// Makes table.values: an inclusive scan by warp shuffles, then one over the warps. All threads of
/// a block call it, 256 or more. `count` is the number of pixels of the level of this thread, 0 in
/// threads beyond the last level.
static __device__ void make_block_table(Count count, Count pixels, BlockTable& table) {
    const int level = thread_in_block();
    const int lane = level % warp;
    Count cdf = count;
    for (int distance = 1; distance < warp; distance *= 2) {
        const Count before = __shfl_up_sync(0xffffffffU, cdf, distance);
        if (lane >= distance) cdf += before;
    }
    if (level < levels && lane == warp - 1) table.warp_sums[level / warp] = cdf;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < levels / warp; ++w) {
        if (w < level / warp) cdf += table.warp_sums[w];
    }
    if (count > 0 && cdf == count) table.cdf_min = count;  // the darkest level that occurs
    __syncthreads();
    if (level < levels) table.values[level] = table_value(level, cdf, table.cdf_min, pixels);
    __syncthreads();
}

}  // namespace equalize
