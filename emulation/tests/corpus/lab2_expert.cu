// Lab 2, integral image: the parts of cuda_best with mistakes.

#include <cooperative_groups.h>

#include <cuda/atomic>

#include "corpus.hpp"

namespace corpus {
namespace {

enum Mistake { none, no_barrier, no_flag, no_fence, no_start, no_end, no_sync };

constexpr int threads = 64;
constexpr int blocks = 4;

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// --- look-back: a block needs the prefix of the block before it
// -----------------------------------

/// Here value and status are two words, so the value needs a fence before its status.
struct TileState {
    unsigned value;
    unsigned status;
};

template <Mistake mistake>
__device__ unsigned look_back(TileState* before) {
    if (mistake != no_flag) {
        while (Flag(before->status).load(cuda::memory_order_relaxed) == 0) __nanosleep(20);
    }
    // fault: look_back_no_flag, look_back_no_fence
    return before->value;
}

template <Mistake mistake>
__global__ void scan_tiles(const unsigned* values, unsigned* prefixes, TileState* states,
                           unsigned* counter) {
    __shared__ unsigned tile;
    __shared__ unsigned prefix;
    // fault: scan_no_barrier
    if (threadIdx.x == 0) tile = atomicAdd(counter, 1u);
    if (mistake != no_barrier) __syncthreads();
    // fault: scan_no_barrier
    const unsigned own = tile;
    if (threadIdx.x == 0) {
        prefix = own > 0 ? look_back<mistake>(&states[own - 1]) : 0;
        // fault: look_back_no_flag, look_back_no_fence
        states[own].value = prefix + values[own];
        if (mistake != no_fence && mistake != no_flag) __threadfence();
        Flag(states[own].status).store(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    prefixes[own * blockDim.x + threadIdx.x] = prefix;
}

template <Mistake mistake>
cudaError_t tiles() {
    const Memory<unsigned> values(blocks, 1), prefixes(blocks * threads), counter(1, 0);
    const Memory<TileState> states(blocks, {0, 0});
    scan_tiles<mistake><<<blocks, threads>>>(values, prefixes, states, counter);
    return cudaGetLastError();
}

// --- small images: one cluster
// --------------------------------------------------------------------

template <Mistake mistake>
__global__ void scan_in_cluster(const unsigned* values, unsigned* sums) {
    __shared__ unsigned of_blocks[blocks][threads];
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned block = cluster.block_rank();
    const unsigned x = threadIdx.x;
    const unsigned of_block = values[block * threads + x];
    if (mistake != no_start) cluster.sync();
    for (unsigned other = 0; other < blocks; ++other) {
        // fault: cluster_no_start, cluster_no_sync
        cluster.map_shared_rank(&of_blocks[0][0], other)[block * threads + x] = of_block;
    }
    if (mistake != no_sync) cluster.sync();
    unsigned above = 0;
    for (unsigned b = 0; b < blocks; ++b) {
        // fault: cluster_no_sync
        if (b < block) above += of_blocks[b][x];
    }
    if (mistake == no_sync) cluster.sync();  // too late
    sums[block * threads + x] = above;
}

template <Mistake mistake>
__global__ void read_in_cluster(const unsigned* values, unsigned* sums) {
    __shared__ unsigned of_block[threads];
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned block = cluster.block_rank();
    const unsigned x = threadIdx.x;
    of_block[x] = values[block * threads + x];
    cluster.sync();
    unsigned above = 0;
    for (unsigned b = 0; b < block; ++b) {
        // fault: cluster_no_end
        above += cluster.map_shared_rank(of_block, b)[x];
    }
    if (mistake != no_end) cluster.sync();
    sums[block * threads + x] = above;
}

cudaError_t launch_cluster(void (*kernel)(const unsigned*, unsigned*)) {
    const Memory<unsigned> values(blocks * threads, 1), sums(blocks * threads);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(blocks);
    launch.blockDim = dim3(threads);
    launch.attrs = &cluster;
    launch.numAttrs = 1;
    const unsigned* from = values;
    unsigned* to = sums;
    return cudaLaunchKernelEx(&launch, kernel, from, to);
}

template <Mistake mistake>
cudaError_t cluster_writes() {
    return launch_cluster(scan_in_cluster<mistake>);
}

template <Mistake mistake>
cudaError_t cluster_reads() {
    return launch_cluster(read_in_cluster<mistake>);
}

}  // namespace

std::vector<Case> lab2_expert_cases() {
    using enum Tool;
    const std::string best = "lab2-integral-image/expert/decoupled_look_back/cuda_best.cu";
    const std::string status = "lab2-integral-image/expert/decoupled_look_back/tile_status.cuh";
    const std::string small = "lab2-integral-image/expert/decoupled_look_back/small_image.cuh";
    return with_file(
        {
            {"scan_no_barrier", best, "scan_tiles",
             "no barrier after one thread has taken the tile's number", "race in shared memory",
             racecheck, tiles<no_barrier>, tiles<none>},
            {"look_back_no_flag", status, "scan_tiles",
             "the prefix of the tile before is read with neither status nor fence",
             "race between blocks", racecheck, tiles<no_flag>, tiles<none>},
            {"look_back_no_fence", status, "scan_tiles",
             "no fence between the prefix and its status", "race between blocks", racecheck,
             tiles<no_fence>, tiles<none>},
            {"cluster_no_start", small, "scan_in_cluster",
             "another block's shared memory is written before that block has started",
             "shared memory of a block that may not have started", memcheck,
             cluster_writes<no_start>, cluster_writes<none>},
            {"cluster_no_sync", small, "scan_in_cluster",
             "the barrier of the cluster comes after reading, not before", "race in shared memory",
             racecheck, cluster_writes<no_sync>, cluster_writes<none>},
            {"cluster_no_end", small, "read_in_cluster",
             "blocks exit while others read their shared memory",
             "shared memory of a block that has exited", memcheck, cluster_reads<no_end>,
             cluster_reads<none>},
        },
        __FILE__);
}

}  // namespace corpus
