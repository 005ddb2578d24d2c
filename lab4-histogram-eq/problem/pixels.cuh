#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/options.hpp"

// Loads of the kernels from `cuda_global_atomics` to `cuda_lane_histograms`: blocks take rows in a
// grid-stride loop, and the threads of a row take words of four pixels, so that access is
// coalesced. These rungs compare how kernels count; all of them read in the same way.

namespace equalize {

/// Pixels of one vectorized load. Rows begin at multiples of it.
inline constexpr int word = 4;

/// Blocks that are resident at the same time if only threads limit them.
inline int resident_blocks(common::Block block) {
    const int threads = common::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    return common::device_attribute(cudaDevAttrMultiProcessorCount) *
           std::max(threads / block.threads(), 1);
}

/// Blocks of a grid-stride loop over rows: as many as are resident at the same time, or fewer if
/// the image has fewer rows. More blocks would only clear and merge more private histograms.
inline unsigned row_blocks(int height, common::Block block) {
    const int needed = (height - 1) / block.height + 1;
    return std::min(resident_blocks(block), needed);
}

static __device__ int thread_in_block() {
    return threadIdx.y * blockDim.x + threadIdx.x;
}
static __device__ int threads_in_block() {
    return blockDim.x * blockDim.y;
}

/// Calls visit(x, y) with the first pixel of each word of this thread.
template <class Visit>
static __device__ void for_each_word(int width, int height, Visit visit) {
    // 64-bit, because a step past the last row or column may exceed 2^31.
    const std::int64_t first_row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
    const std::int64_t rows = std::int64_t{gridDim.x} * blockDim.y;
    for (std::int64_t y = first_row; y < height; y += rows) {
        for (std::int64_t x = std::int64_t{word} * threadIdx.x; x < width; x += word * blockDim.x) {
            visit(x, y);
        }
    }
}

/// Calls visit(level) for each pixel of this thread.
template <class Visit>
static __device__ void for_each_pixel(common::DeviceView<const std::uint8_t> in, Visit visit) {
    for_each_word(in.width, in.height, [&](int x, int y) {
        const std::uint8_t* pixels = in.row(y) + x;
        if (x <= in.width - word) {
            const uchar4 four = *reinterpret_cast<const uchar4*>(pixels);
            visit(four.x);
            visit(four.y);
            visit(four.z);
            visit(four.w);
        } else {
            for (int i = 0; i < in.width - x; ++i) visit(pixels[i]);
        }
    });
}

}  // namespace equalize
