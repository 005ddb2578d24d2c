#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/options.hpp"

// How the threads of a kernel share out the pixels of an image: each block takes rows, and in a row
// each thread takes words of four pixels. The kernels that are compared differ in how they count,
// and not in how they read.

namespace equalize {

/// Pixels that a thread takes at once. Rows begin at addresses that are multiples of it.
inline constexpr int word = 4;

/// As many blocks as the GPU has room for threads at the same time, or fewer if the image has fewer
/// rows. More of them would only start later, and each begins and ends with work that does not
/// depend on the image.
inline unsigned row_blocks(int height, common::Block block) {
    int device = 0;
    int multiprocessors = 0;
    int threads = 0;
    common::check(cudaGetDevice(&device));
    common::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    common::check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const int resident = multiprocessors * std::max(threads / block.threads(), 1);
    const int needed = (height - 1) / block.height + 1;
    return static_cast<unsigned>(std::min(resident, needed));
}

inline dim3 threads_of(common::Block block) {
    return {static_cast<unsigned>(block.width), static_cast<unsigned>(block.height)};
}

/// The number of this thread in its block, and how many there are.
static __device__ int thread_in_block() {
    return static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
}
static __device__ int threads_in_block() {
    return static_cast<int>(blockDim.x * blockDim.y);
}

/// Calls visit(x, y) with the first pixel of each word of this thread.
template <class Visit>
static __device__ void for_each_word(int width, int height, Visit visit) {
    // 64-bit, because a step beyond the last row or column may be beyond 2^31.
    const std::int64_t first_row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
    const std::int64_t rows = std::int64_t{gridDim.x} * blockDim.y;
    for (std::int64_t y = first_row; y < height; y += rows) {
        for (std::int64_t x = std::int64_t{word} * threadIdx.x; x < width; x += word * blockDim.x) {
            visit(static_cast<int>(x), static_cast<int>(y));
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
