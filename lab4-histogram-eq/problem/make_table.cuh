#pragma once

#include <cstdint>

#include "common/scratch.hpp"
#include "problem/pixels.cuh"
#include "problem/table.hpp"

// The kernel after the histogram: it makes the table. Variants with three launches share it.

namespace equalize {

/// Inclusive scan of the counts in shared memory, in place, by Hillis and Steele: in step k each
/// thread adds the sum 2^k places before its own. The block has one thread per level.
static __device__ void scan_levels(Count* counts) {
    const int level = threadIdx.x;
    for (int distance = 1; distance < levels; distance *= 2) {
        __syncthreads();  // all writes before any read
        const Count before = level >= distance ? counts[level - distance] : 0;
        __syncthreads();  // all reads before any write
        counts[level] += before;
    }
    __syncthreads();
}

/// One block with one thread per level.
static __global__ void make_table(const Count* histogram, std::uint8_t* table) {
    __shared__ Count cdf[levels];
    __shared__ Count cdf_min;
    const int level = threadIdx.x;
    const Count count = histogram[level];
    cdf[level] = count;
    scan_levels(cdf);
    if (count > 0 && cdf[level] == count) cdf_min = count;  // the darkest level that occurs
    __syncthreads();
    table[level] = table_value(level, cdf[level], cdf_min, cdf[levels - 1]);
}

/// Global memory that the kernels of a call share.
struct Tables {
    Count* histogram;     ///< of `levels` counts
    std::uint8_t* table;  ///< of `levels` values

    /// Clears the histogram in stream order.
    Tables(common::Scratch& scratch, cudaStream_t stream)
        : histogram(static_cast<Count*>(scratch.get(0, levels * sizeof(Count)))),
          table(static_cast<std::uint8_t*>(scratch.get(1, levels))) {
        common::check(cudaMemsetAsync(histogram, 0, levels * sizeof(Count), stream));
    }
};

}  // namespace equalize
