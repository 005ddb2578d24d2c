#pragma once

// Groups of threads: the block, the cluster and the grid.

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
  public:
    void sync() const { emulation::block_barrier(); }
    dim3 group_dim() const { return emulation::blockDim(); }
    dim3 dim_threads() const { return emulation::blockDim(); }
    uint3 group_index() const { return emulation::blockIdx(); }
    uint3 thread_index() const { return emulation::threadIdx(); }
    unsigned size() const {
        const dim3 size = emulation::blockDim();
        return size.x * size.y * size.z;
    }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const {
        const dim3 size = emulation::blockDim();
        const uint3 at = emulation::threadIdx();
        return (at.z * size.y + at.y) * size.x + at.x;
    }
};

class grid_group {
  public:
    bool is_valid() const { return emulation::is_cooperative(); }
    dim3 group_dim() const { return emulation::gridDim(); }
    dim3 dim_blocks() const { return emulation::gridDim(); }
    uint3 block_index() const { return emulation::blockIdx(); }
    unsigned long long num_blocks() const {
        const dim3 size = emulation::gridDim();
        return static_cast<unsigned long long>(size.x) * size.y * size.z;
    }
    unsigned long long block_rank() const {
        const dim3 size = emulation::gridDim();
        const uint3 at = emulation::blockIdx();
        return (static_cast<unsigned long long>(at.z) * size.y + at.y) * size.x + at.x;
    }
    unsigned long long size() const { return num_blocks() * thread_block().size(); }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        return block_rank() * thread_block().size() + thread_block().thread_rank();
    }
    void sync() const {
        emulation::group_arrive();
        emulation::group_wait();
    }
};

class cluster_group {
  public:
    void barrier_arrive() const { emulation::group_arrive(); }
    void barrier_wait() const { emulation::group_wait(); }
    void sync() const {
        barrier_arrive();
        barrier_wait();
    }
    unsigned block_rank() const { return emulation::block_rank(); }
    unsigned num_blocks() const { return emulation::blocks_in_cluster(); }

    /// The variable of another block that stands where this block's stands.
    template <class T>
    T* map_shared_rank(T* own, unsigned rank) const {
        return static_cast<T*>(emulation::shared_memory_of(own, rank));
    }
    template <class T>
    T* map_shared_rank(T* own, int rank) const {
        return map_shared_rank(own, static_cast<unsigned>(rank));
    }
};

inline thread_block this_thread_block() {
    return {};
}
inline grid_group this_grid() {
    return {};
}
inline cluster_group this_cluster() {
    return {};
}

}  // namespace cooperative_groups
