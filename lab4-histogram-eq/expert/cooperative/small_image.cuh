#pragma once

// Images so small that most of the time is waiting. Eight or sixteen blocks that run together (a
// cluster) have a thread for each 16 pixels, which stay in its registers. They write their
// histograms into each other's shared memory, and then all of them make the table: one wait for
// memory, one barrier of the cluster, and no trip through global memory.

#include <cooperative_groups.h>

#include "chunk.cuh"
#include "common/cluster.cuh"
#include "make_values.cuh"

namespace equalize::small_image {

using common::DeviceView;

constexpr int max_blocks = 16;
constexpr int max_threads = 512;  // of a block

struct Shared {
    Count counts[levels];
    Count of_blocks[max_blocks][levels];
    TableSpace table;
};

/// The first pixels of a chunk. In a loop that is not unrolled: instructions, too, have to come
/// from memory first.
static __device__ void count_some(uint4 pixels, int number, Count* counts) {
#pragma unroll 1
    for (int i = 0; i < number; ++i) {
        atomicAdd(&counts[pixels.x & 0xff], Count{1});
        pixels.x = __funnelshift_r(pixels.x, pixels.y, 8);
        pixels.y = __funnelshift_r(pixels.y, pixels.z, 8);
        pixels.z = __funnelshift_r(pixels.z, pixels.w, 8);
        pixels.w >>= 8;
    }
}

/// One cluster. Does nothing where it has been compiled for GPUs without clusters.
static __global__ void __launch_bounds__(max_threads)
    equalize_in_cluster(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ Shared shared;
    const auto cluster = cooperative_groups::this_cluster();
    common::tell_started();
    const int thread = static_cast<int>(threadIdx.x);
    const int block = static_cast<int>(cluster.block_rank());
    const int blocks = static_cast<int>(cluster.num_blocks());
    const int chunks_across = (in.width - 1) / chunk + 1;
    const int index = block * static_cast<int>(blockDim.x) + thread;
    const int x = index % chunks_across * chunk;
    const int y = index / chunks_across;
    const int there = y < in.height ? min(in.width - x, chunk) : 0;
    uint4 pixels{};
    if (there > 0) pixels = *reinterpret_cast<const uint4*>(in.row(y) + x);  // or padding
    if (thread < levels) shared.counts[thread] = 0;
    __syncthreads();

    const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
    const auto byte = [&](int i) { return words[i / 4] >> (8 * (i % 4)) & 0xff; };
    if (there == chunk) {
#pragma unroll
        for (int i = 0; i < chunk; ++i) atomicAdd(&shared.counts[byte(i)], Count{1});
    } else {
        count_some(pixels, there, shared.counts);
    }
    __syncthreads();
    cluster.barrier_wait();  // all blocks have started: there is memory to write to
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
    make_values(count, static_cast<Count>(in.width) * static_cast<Count>(in.height), shared.table);
    if (there == 0) return;
    const std::uint8_t* values = shared.table.values;
    unsigned result[4];
#pragma unroll
    for (int i = 0; i < chunk; i += 4) {
        result[i / 4] = values[byte(i)] | values[byte(i + 1)] << 8 | values[byte(i + 2)] << 16 |
                        static_cast<unsigned>(values[byte(i + 3)]) << 24;
    }
    const uint4 chunk_values{result[0], result[1], result[2], result[3]};
    std::uint8_t* to = out.row(y) + x;
    if (there == chunk) {
        *reinterpret_cast<uint4*>(to) = chunk_values;
    } else {
        store_part(to, chunk_values, there);
    }
#endif
}

/// False, and nothing is done, if the image is too large, or the GPU has no such clusters.
static bool equalize(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                     cudaStream_t stream) {
    if (chunks_of(in) > max_blocks * max_threads) return false;
    const auto chunks = static_cast<int>(chunks_of(in));
    // Few blocks are faster, as long as there are enough threads in them.
    const int blocks = chunks <= max_blocks / 2 * max_threads ? max_blocks / 2 : max_blocks;
    const int each = (chunks - 1) / blocks + 1;
    const int threads = std::max((each - 1) / warp * warp + warp, levels);
    return common::launch_cluster(equalize_in_cluster, blocks, threads, stream, in, out);
}

}  // namespace equalize::small_image
