#pragma once

#include <cstdint>

#include "problem/make_table.cuh"
#include "problem/pixels.cuh"

// The two kernels after the histogram: one makes the table, one looks up each pixel. The variants
// that only differ in how they count share them.

namespace equalize {

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
