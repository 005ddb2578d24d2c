#pragma once

// The functions of a thread of a kernel: its indices, shared memory, barriers, warp operations.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulation/types.hpp"

namespace emulation {

// A thread's place never changes, so calls may be merged.
[[gnu::const]] uint3 threadIdx() noexcept;
[[gnu::const]] uint3 blockIdx() noexcept;
[[gnu::const]] dim3 blockDim() noexcept;
[[gnu::const]] dim3 gridDim() noexcept;

/// Memory of the running block for the variable that `key` names.
void* shared_memory(const void* key, const char* name, std::size_t bytes, std::size_t element);
/// The shared memory whose size the launch gave.
void* dynamic_shared_memory(const char* name, std::size_t element);

/// `__shared__ T name;`. The type of the last argument is another one for every declaration, and
/// in templates for every instantiation.
template <class T, class Tag>
T& shared_variable(const char* name, Tag) {
    static constexpr char key = 0;
    return *static_cast<T*>(
        shared_memory(&key, name, sizeof(T), sizeof(std::remove_all_extents_t<T>)));
}

/// `extern __shared__ T name[];`
template <class T>
T* dynamic_shared(const char* name) {
    return static_cast<T*>(dynamic_shared_memory(name, sizeof(T)));
}

/// Warp operations. All lanes named in the mask call the same operation.
enum class WarpOperation { sync, shuffle, ballot, any, all, add, min, max, matrix };

/// A lane's part: what it gives, and what it gets when all lanes of the mask are there.
struct LanePart {
    std::uint64_t value[2] = {};  ///< given; afterwards the result
    unsigned source = 0;          ///< of a shuffle: the lane whose value it wants
    bool is_signed = false;
    void* data = nullptr;  ///< of a matrix operation
};

void warp_operation(WarpOperation operation, unsigned mask, LanePart& part);
unsigned lane_id();
unsigned active_mask();

template <class T>
T shuffle(unsigned mask, T value, unsigned source) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    LanePart part;
    std::memcpy(part.value, &value, sizeof value);
    part.source = source;
    warp_operation(WarpOperation::shuffle, mask, part);
    std::memcpy(&value, part.value, sizeof value);
    return value;
}

inline unsigned vote(WarpOperation operation, unsigned mask, bool predicate) {
    LanePart part;
    part.value[0] = predicate ? 1 : 0;
    warp_operation(operation, mask, part);
    return static_cast<unsigned>(part.value[0]);
}

template <class T>
T reduce(WarpOperation operation, unsigned mask, T value) {
    LanePart part;
    part.is_signed = std::is_signed_v<T>;
    part.value[0] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    warp_operation(operation, mask, part);
    return static_cast<T>(part.value[0]);
}

void block_barrier();
void yield();
void fence();

// Clusters and the whole grid: barriers in two halves, and other blocks' shared memory.
void group_arrive();
void group_wait();
unsigned block_rank();
unsigned blocks_in_cluster();
bool is_cooperative();
void* shared_memory_of(const void* own, unsigned rank);

// An mbarrier, as the number of bytes that have not arrived. What its block does after the last
// ones comes after what others have stored.
void expect_bytes(unsigned long long* mbarrier, unsigned bytes);
void bytes_arrive(unsigned long long* mbarrier, unsigned rank, unsigned bytes);
void wait_for_bytes(const unsigned long long* mbarrier);

/// Starts to copy bytes from global to shared memory, with zeros for what `from` has not.
void copy_async(void* to, const void* from, unsigned bytes, unsigned from_bytes);
void commit_copies();
void wait_for_copies(unsigned groups_left);

}  // namespace emulation

inline constexpr int warpSize = 32;

inline void __syncthreads() {
    emulation::block_barrier();
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
    emulation::LanePart part;
    emulation::warp_operation(emulation::WarpOperation::sync, mask, part);
}
inline void __threadfence() {
    emulation::fence();
}
inline void __threadfence_block() {
    emulation::fence();
}
inline void __nanosleep(unsigned) {
    emulation::yield();
}
inline unsigned __activemask() {
    return emulation::active_mask();
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
    const unsigned first = emulation::lane_id() & ~(static_cast<unsigned>(width) - 1);
    return emulation::shuffle(
        mask, value, first + (static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1)));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    const unsigned lane = emulation::lane_id();
    const unsigned place = lane & (static_cast<unsigned>(width) - 1);
    return emulation::shuffle(mask, value, place >= delta ? lane - delta : lane);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    const unsigned lane = emulation::lane_id();
    const unsigned place = lane & (static_cast<unsigned>(width) - 1);
    return emulation::shuffle(mask, value,
                              place + delta < static_cast<unsigned>(width) ? lane + delta : lane);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize) {
    const unsigned lane = emulation::lane_id();
    const unsigned source = lane ^ static_cast<unsigned>(lanes);
    const unsigned end = (lane | (static_cast<unsigned>(width) - 1)) + 1;
    return emulation::shuffle(mask, value, source < end ? source : lane);
}

inline int __any_sync(unsigned mask, int predicate) {
    return emulation::vote(emulation::WarpOperation::any, mask, predicate != 0) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
    return emulation::vote(emulation::WarpOperation::all, mask, predicate != 0) != 0;
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return emulation::vote(emulation::WarpOperation::ballot, mask, predicate != 0);
}
template <class T>
T __reduce_add_sync(unsigned mask, T value) {
    return emulation::reduce(emulation::WarpOperation::add, mask, value);
}
template <class T>
T __reduce_min_sync(unsigned mask, T value) {
    return emulation::reduce(emulation::WarpOperation::min, mask, value);
}
template <class T>
T __reduce_max_sync(unsigned mask, T value) {
    return emulation::reduce(emulation::WarpOperation::max, mask, value);
}
