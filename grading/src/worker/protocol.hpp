#pragma once

// The messages between a judge and a worker. Images lie in memory that they share, of the host or
// of the GPU; the judge writes and reads it only while the worker is stopped. The judge trusts no
// reply: it only ends the measured time, and the bytes of the output decide.

#include <array>
#include <cstddef>
#include <cstdint>

namespace grading {

inline constexpr int channel_descriptor = 3;  ///< of the worker: a socket for messages
inline constexpr int memory_descriptor = 4;
inline constexpr std::size_t memory_bytes = std::size_t{1} << 30;

/// An image in the shared memory: that of the GPU if the order comes with some.
struct Plane {
    std::uint64_t offset = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t channels = 0;
    std::int32_t value_bytes = 0;
    std::int64_t pitch = 0;  ///< in values
};

/// A call of the variant. `options` is a copy of the lab's Options.
struct Call {
    Plane in;
    Plane out;
    std::uint32_t option_bytes = 0;
    std::array<std::byte, 4096> options{};
};

inline constexpr std::size_t most_calls = 1024;  ///< of an order

/// The accesses of a kernel of one kind.
struct AccessSums {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t bytes = 0;  ///< sum over all lanes
};

/// All launches of an emulated kernel with one size of block.
struct CountedKernel {
    std::array<char, 96> name{};
    std::uint64_t launches = 0;
    std::uint64_t blocks = 0;
    std::uint64_t warps = 0;
    std::uint64_t barriers = 0;
    std::uint64_t most_stored = 0;  ///< bytes, as in emulation::KernelCounts
    /// By space (global memory, shared memory, textures) and operation (load, store, atomic).
    std::array<std::array<AccessSums, 3>, 3> accesses{};
};

/// The kernels that a call has launched.
struct Counts {
    std::uint32_t kernels = 0;
    std::array<CountedKernel, 32> kernel{};
};

/// From the judge: these calls are at the beginning of the shared host memory. If `gpu_bytes` is
/// not 0, the file descriptor of that much GPU memory comes with the message.
struct Order {
    std::uint32_t calls = 0;
    std::uint32_t counted = 0;  ///< not 0: the worker writes Counts to the beginning of the memory
    std::uint64_t gpu_bytes = 0;
};

enum class Status : std::uint32_t {
    started,   ///< before anything of the student runs; the text: why GPU memory cannot be shared
    loaded,    ///< the student's file is loaded and has registered a variant
    done,      ///< the variant has returned
    refused,   ///< it threw Unsupported
    not_done,  ///< it threw NotDoneYet
    failed     ///< it threw something else, or could not be loaded
};

struct Reply {
    Status status = Status::failed;
    std::array<char, 2000> text{};
};

}  // namespace grading
