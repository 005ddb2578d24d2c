#pragma once

// Small images are bound by latency. One thread block cluster of 16 blocks has one thread per
// 16 pixels, which stay in registers. The blocks exchange their histograms through distributed
// shared memory, and each block makes the table: one read of global memory. Asynchronous stores
// (st.async) count their bytes in an mbarrier of the receiving block, which saves a barrier of the
// cluster and its fence.

#include <cooperative_groups.h>

#include <cstdint>

#include "common/cluster.cuh"
#include "common/ptx.cuh"
#include "ladder/parts/block_table.cuh"
#include "ladder/parts/vectors.cuh"

namespace equalize::small_image {

using common::DeviceView;

constexpr int blocks = 16;        // of the cluster: GPUs may refuse more than eight
constexpr int max_threads = 512;  // per block

using BlockCount = std::uint16_t;  // of at most max_threads * vector_pixels, which is 8192

constexpr int store_levels = sizeof(uint4) / sizeof(BlockCount);  // of one asynchronous store
constexpr int stores = levels / store_levels;                     // of one block to another

struct Shared {
    alignas(16) Count counts[levels];
    alignas(16) BlockCount of_blocks[blocks][levels];
    BlockTable table;
    unsigned long long mbarrier;
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

/// Stores the histogram of this block in all blocks. Takes a multiple of `stores` threads.
static __device__ void send_to_all(Shared& shared, int block, int thread) {
    const int first = thread % stores * store_levels;
    const auto* counts = reinterpret_cast<const uint4*>(&shared.counts[first]);
    const uint4 low = counts[0];
    const uint4 high = counts[1];
    const auto both = [](Count even, Count odd) { return even | odd << 16; };
    const uint4 packed{both(low.x, low.y), both(low.z, low.w), both(high.x, high.y),
                       both(high.z, high.w)};
    const int threads = blockDim.x;
#pragma unroll 1
    for (int to = thread / stores; to < blocks; to += threads / stores) {
        common::store_async(&shared.of_blocks[block][first], &shared.mbarrier, to, packed);
    }
}

/// Launched as one cluster. Compiled for GPUs without clusters, it does nothing.
static __global__ void __launch_bounds__(max_threads)
    equalize_in_cluster(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ Shared shared;
    const auto cluster = cooperative_groups::this_cluster();
    const int thread = threadIdx.x;
    const int block = cluster.block_rank();
    const int vectors_across = (in.width - 1) / vector_pixels + 1;
    const int threads = blockDim.x;
    const int index = block * threads + thread;
    const int x = index % vectors_across * vector_pixels;
    const int y = index / vectors_across;
    const int there = y < in.height ? min(in.width - x, vector_pixels) : 0;
    uint4 pixels{};
    if (there > 0) pixels = *reinterpret_cast<const uint4*>(in.row(y) + x);  // or padding
    if (thread < warp) common::expect_bytes(&shared.mbarrier, sizeof shared.of_blocks);
    common::tell_started();
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
    send_to_all(shared, block, thread);
    common::wait_for_bytes(&shared.mbarrier);

    Count count = 0;
    if (thread < levels) {
#pragma unroll
        for (int b = 0; b < blocks; ++b) count += shared.of_blocks[b][thread];
    }
    make_block_table(count, Count{1} * in.width * in.height, shared.table);
    if (there == 0) return;
    const std::uint8_t* values = shared.table.values;
    unsigned result[4];
#pragma unroll
    for (int i = 0; i < vector_pixels; i += 4) {
        result[i / 4] = values[byte(i)] | values[byte(i + 1)] << 8 | values[byte(i + 2)] << 16 |
                        values[byte(i + 3)] << 24;
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
    const auto vectors = vectors_of(in);
    if (vectors > blocks * max_threads) return false;
    const int each = (vectors - 1) / blocks + 1;
    const int threads = std::max((each - 1) / stores * stores + stores, levels);
    return common::launch_clusters(equalize_in_cluster, 1, blocks, threads, stream, in, out);
}

}  // namespace equalize::small_image
