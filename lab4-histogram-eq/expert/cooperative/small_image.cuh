#pragma once

// Small images are bound by latency. One thread block cluster of 8 or 16 blocks has one thread per
// 16 pixels, which stay in registers. The blocks exchange their histograms through distributed
// shared memory, and each block makes the table: one read of global memory, and one barrier of the
// cluster.

#include <cooperative_groups.h>

#include <cstdint>

#include "common/cluster.cuh"
#include "problem/block_table.cuh"
#include "problem/vectors.cuh"

namespace equalize::small_image {

using common::DeviceView;

constexpr int max_blocks = 16;
constexpr int max_threads = 512;  // per block

struct Shared {
    Count counts[levels];
    Count of_blocks[max_blocks][levels];
    BlockTable table;
};

/// Counts the first pixels of a vector. Not unrolled: instruction fetches cost latency, too.
static __device__ void count_first(uint4 pixels, int number, Count* counts) {
#pragma unroll 1
    for (int i = 0; i < number; ++i) {
        atomicAdd(&counts[pixels.x & 0xff], Count{1});
        pixels.x = __funnelshift_r(pixels.x, pixels.y, 8);
        pixels.y = __funnelshift_r(pixels.y, pixels.z, 8);
        pixels.z = __funnelshift_r(pixels.z, pixels.w, 8);
        pixels.w >>= 8;
    }
}

/// Launched as one cluster. Compiled for GPUs without clusters, it does nothing.
static __global__ void __launch_bounds__(max_threads)
    equalize_in_cluster(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ Shared shared;
    const auto cluster = cooperative_groups::this_cluster();
    common::tell_started();
    const int thread = static_cast<int>(threadIdx.x);
    const int block = static_cast<int>(cluster.block_rank());
    const int blocks = static_cast<int>(cluster.num_blocks());
    const int vectors_across = (in.width - 1) / vector_pixels + 1;
    const int index = block * static_cast<int>(blockDim.x) + thread;
    const int x = index % vectors_across * vector_pixels;
    const int y = index / vectors_across;
    const int there = y < in.height ? min(in.width - x, vector_pixels) : 0;
    uint4 pixels{};
    if (there > 0) pixels = *reinterpret_cast<const uint4*>(in.row(y) + x);  // or padding
    if (thread < levels) shared.counts[thread] = 0;
    __syncthreads();

    const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
    const auto byte = [&](int i) { return words[i / 4] >> (8 * (i % 4)) & 0xff; };
    if (there == vector_pixels) {
#pragma unroll
        for (int i = 0; i < vector_pixels; ++i) atomicAdd(&shared.counts[byte(i)], Count{1});
    } else {
        count_first(pixels, there, shared.counts);
    }
    __syncthreads();
    cluster.barrier_wait();  // all blocks have started: their shared memory exists
    if (thread < levels) {
        const Count sum = shared.counts[thread];
#pragma unroll
        for (int other = 0; other < max_blocks; ++other) {
            if (other >= blocks) break;
            cluster.map_shared_rank(&shared, other)->of_blocks[block][thread] = sum;
        }
    }
    cluster.sync();

    Count count = 0;
    if (thread < levels) {
#pragma unroll
        for (int b = 0; b < max_blocks; ++b) {
            if (b < blocks) count += shared.of_blocks[b][thread];
        }
    }
    make_block_table(count, static_cast<Count>(in.width) * static_cast<Count>(in.height),
                     shared.table);
    if (there == 0) return;
    const std::uint8_t* values = shared.table.values;
    unsigned result[4];
#pragma unroll
    for (int i = 0; i < vector_pixels; i += 4) {
        result[i / 4] = values[byte(i)] | values[byte(i + 1)] << 8 | values[byte(i + 2)] << 16 |
                        static_cast<unsigned>(values[byte(i + 3)]) << 24;
    }
    const uint4 result_pixels{result[0], result[1], result[2], result[3]};
    std::uint8_t* to = out.row(y) + x;
    if (there == vector_pixels) {
        *reinterpret_cast<uint4*>(to) = result_pixels;
    } else {
        store_first(to, result_pixels, there);
    }
#endif
}

/// Returns false, without effect, if the image is too large or the GPU has no such clusters.
static bool equalize(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                     cudaStream_t stream) {
    if (vectors_of(in) > max_blocks * max_threads) return false;
    const auto vectors = static_cast<int>(vectors_of(in));
    // Eight blocks are faster, if they have enough threads.
    const int blocks = vectors <= max_blocks / 2 * max_threads ? max_blocks / 2 : max_blocks;
    const int each = (vectors - 1) / blocks + 1;
    const int threads = std::max((each - 1) / warp * warp + warp, levels);
    return common::launch_cluster(equalize_in_cluster, blocks, threads, stream, in, out);
}

}  // namespace equalize::small_image
