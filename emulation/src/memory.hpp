#pragma once

// The memory of the emulated GPU: one range of addresses, global memory first and then the shared
// memory of blocks. For each byte, or word, of it there is a record of how it was used, at a fixed
// distance, in memory that the system provides when it is first touched.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "emulation/types.hpp"

namespace emulation {

inline constexpr std::uintptr_t memory_begin = 0x1000'0000'0000;
inline constexpr std::size_t global_bytes = std::size_t{8} << 30;
inline constexpr std::size_t device_bytes = std::size_t{4} << 30;  ///< that may be allocated

inline constexpr std::size_t most_shared_bytes = 227 * 1024;
inline constexpr std::size_t shared_stride = 512 * 1024;  ///< from a block's memory to the next's
inline constexpr std::size_t shared_lead = 128 * 1024;    ///< nobody's, before each block's memory
inline constexpr std::size_t most_resident_blocks = 128;  ///< of one worker
inline constexpr std::size_t most_workers = 32;
inline constexpr std::size_t memory_bytes =
    global_bytes + shared_stride * most_resident_blocks * most_workers;

/// The state of a byte of global memory.
enum State : unsigned char { allocated = 1, written = 2, padding = 4 };

/// The last write, or read, of a word of global memory. The key is compared; the rest is for the
/// message. Threads of several cores write each half atomically, without locks.
struct GlobalAccess {
    std::uint64_t key;     ///< launch, block, whether atomic, which of the four bytes
    std::uint64_t detail;  ///< thread, and address of code
};

/// The last write, or read, of a byte of shared memory.
struct SharedAccess {
    std::uint32_t epoch;       ///< of the block: barriers so far
    std::uint32_t warp_epoch;  ///< of the thread's warp
    std::uint32_t code;
    std::uint16_t thread;  ///< in the cluster
    bool is_atomic : 1;
    bool is_of_several : 1;  ///< other threads have read at the same time
    bool pending_copy : 1;   ///< written by an asynchronous copy that is not waited for yet
};

inline constexpr std::uintptr_t states_begin = memory_begin + memory_bytes;
inline constexpr std::uintptr_t global_writes_begin = states_begin + global_bytes;
inline constexpr std::uintptr_t global_reads_begin =
    global_writes_begin + global_bytes / 4 * sizeof(GlobalAccess);
inline constexpr std::uintptr_t shared_writes_begin =
    global_reads_begin + global_bytes / 4 * sizeof(GlobalAccess);
inline constexpr std::size_t shared_records = (memory_bytes - global_bytes) * sizeof(SharedAccess);
inline constexpr std::uintptr_t shared_reads_begin = shared_writes_begin + shared_records;
inline constexpr std::uintptr_t all_end = shared_reads_begin + shared_records;

inline unsigned char* states() {
    return reinterpret_cast<unsigned char*>(states_begin);
}
inline GlobalAccess* global_writes() {
    return reinterpret_cast<GlobalAccess*>(global_writes_begin);
}
inline GlobalAccess* global_reads() {
    return reinterpret_cast<GlobalAccess*>(global_reads_begin);
}
inline SharedAccess* shared_writes() {
    return reinterpret_cast<SharedAccess*>(shared_writes_begin);
}
inline SharedAccess* shared_reads() {
    return reinterpret_cast<SharedAccess*>(shared_reads_begin);
}

/// True for memory of cudaMallocHost.
bool is_page_locked(const void* data);

/// Null if the emulated GPU has no more memory. A pitch of 0 means: not an image. The name is that
/// of a `__device__` variable.
void* allocate(std::size_t bytes, std::size_t width, std::size_t pitch, const char* name = "");
/// False if no allocation begins there.
bool release(void* data);
std::size_t free_bytes();

inline constexpr const char* freed_memory = "memory that has been freed";
inline constexpr const char* freed_lately = "memory that has been freed, after the last copy";

/// The place of an address of global memory: "row 52, 3 bytes past its end, of an image of …".
std::string describe_global(std::uintptr_t address);

/// Where the allocation begins that an address of global memory belongs to, or 0.
std::uintptr_t allocation_of(std::uintptr_t address);

/// An allocation by cudaMallocPitch.
struct Image {
    std::uintptr_t begin;
    std::size_t bytes, width, pitch;
};

/// The image that an address belongs to.
std::optional<Image> image_at(std::uintptr_t address);

/// The shared memory of resident block number `slot`.
inline unsigned char* shared_slot(std::size_t slot) {
    return reinterpret_cast<unsigned char*>(memory_begin + global_bytes + slot * shared_stride +
                                            shared_lead);
}

/// `__device__` variables are in the upper half of global memory.
inline constexpr std::uintptr_t variables_begin = memory_begin + global_bytes / 2;

/// True for addresses of `__constant__` variables.
bool is_constant(std::uintptr_t address);

/// Notes that the host copied something.
void note_copy();

/// Notes that the host wrote bytes, if they are global memory.
void mark_written(const void* data, std::size_t bytes);

/// Reserves all of the above, once.
void reserve_memory();

}  // namespace emulation
