#pragma once

#include "pixels.cuh"
#include "problem/table.hpp"

namespace equalize {

constexpr int warp = 32;

/// In shared memory, for make_values().
struct TableSpace {
    Count of_warps[levels / warp];  ///< sum over the levels of a warp
    Count cdf_min;
    std::uint8_t values[levels];
};

/// Makes the table, in space.values. To be called by all threads of a block, 256 or more; `count`
/// is how many of the image's pixels have the level of this thread, or 0 in threads beyond the last
/// level.
static __device__ void make_values(Count count, Count pixels, TableSpace& space) {
    const int level = thread_in_block();
    const int lane = level % warp;
    Count cdf = count;
    for (int distance = 1; distance < warp; distance *= 2) {
        const Count before = __shfl_up_sync(0xffffffffU, cdf, static_cast<unsigned>(distance));
        if (lane >= distance) cdf += before;
    }
    if (level < levels && lane == warp - 1) space.of_warps[level / warp] = cdf;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < levels / warp; ++w) {
        if (w < level / warp) cdf += space.of_warps[w];
    }
    if (count > 0 && cdf == count) space.cdf_min = count;  // nothing before it: the darkest level
    __syncthreads();
    if (level < levels) space.values[level] = table_value(level, cdf, space.cdf_min, pixels);
    __syncthreads();
}

}  // namespace equalize
