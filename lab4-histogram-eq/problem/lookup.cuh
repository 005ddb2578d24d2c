#pragma once

#include <cstdint>

#include "common/scratch.hpp"
#include "problem/pixels.cuh"
#include "problem/table.hpp"

// The two kernels after the histogram: one makes the table, one looks up each pixel. The variants
// that only differ in how they count share them.

namespace equalize {

/// Inclusive scan of the counts in shared memory, in place, by Hillis and Steele: in step k each
/// thread adds the sum 2^k places before its own. The block has one thread per level.
static __device__ void scan_levels(Count* counts) {
    const int level = static_cast<int>(threadIdx.x);
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
    const int level = static_cast<int>(threadIdx.x);
    const Count count = histogram[level];
    cdf[level] = count;
    scan_levels(cdf);
    if (count > 0 && cdf[level] == count) cdf_min = count;  // the darkest level that occurs
    __syncthreads();
    table[level] = table_value(level, cdf[level], cdf_min, cdf[levels - 1]);
}

/// Each block copies the table to shared memory first. `in` and `out` may be the same image.
static __global__ void __launch_bounds__(1024)
    look_up(common::DeviceView<const std::uint8_t> in, common::DeviceView<std::uint8_t> out,
            const std::uint8_t* table) {
    __shared__ std::uint8_t values[levels];
    for (int i = thread_in_block(); i < levels; i += threads_in_block()) values[i] = table[i];
    __syncthreads();
    for_each_word(in.width, in.height, [&](int x, int y) {
        const std::uint8_t* pixels = in.row(y) + x;
        std::uint8_t* result = out.row(y) + x;
        if (x <= in.width - word) {
            const uchar4 four = *reinterpret_cast<const uchar4*>(pixels);
            *reinterpret_cast<uchar4*>(result) =
                uchar4{values[four.x], values[four.y], values[four.z], values[four.w]};
        } else {
            for (int i = 0; i < in.width - x; ++i) result[i] = values[pixels[i]];
        }
    });
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

/// Launches both kernels. The histogram is complete in stream order.
inline void launch_look_up(common::DeviceView<const std::uint8_t> in,
                           common::DeviceView<std::uint8_t> out, const Tables& tables,
                           common::Block block, cudaStream_t stream) {
    make_table<<<1, levels, 0, stream>>>(tables.histogram, tables.table);
    common::check_launch();
    look_up<<<row_blocks(in.height, block), threads_of(block), 0, stream>>>(in, out, tables.table);
    common::check_launch();
}

}  // namespace equalize
