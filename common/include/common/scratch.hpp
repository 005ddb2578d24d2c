#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "common/cuda_types.hpp"

namespace common {

/// GPU memory that an algorithm needs besides its input and output; and page-locked memory, streams
/// and events for algorithms that make their own transfers. The harness keeps them from call to
/// call, so they are made in the first call, which is not timed. `slot` (0, 1, 2, …) numbers the
/// things of one kind in a variant.
class Scratch {
  public:
    Scratch() = default;
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// At least `bytes`, aligned for any type. The content is what the last call left there, or
    /// undefined if the slot grew. Throws Failed if the GPU has no more memory.
    void* get(std::size_t slot, std::size_t bytes);

    /// A GPU copy of constants; copied in stream order when they differ from the last call's.
    const void* constants(std::size_t slot, std::span<const std::byte> values, cudaStream_t stream);

    /// Anything else that an algorithm makes once and uses in every call, a texture object for
    /// instance. Empty until the algorithm assigns something.
    std::shared_ptr<void>& kept(std::size_t slot) { return kept_[slot]; }

    /// At least `bytes` of page-locked host memory, which the GPU copies asynchronously. Otherwise
    /// as `get`.
    void* pinned(std::size_t slot, std::size_t bytes);

    /// A stream that waits for no other. Blocks of an `urgent` one begin before those of others.
    cudaStream_t stream(std::size_t slot, bool urgent = false);

    /// An event without timing, to make one stream, or the CPU, wait for another stream.
    cudaEvent_t event(std::size_t slot);

    /// The time of all allocations so far, in ms.
    double allocation_ms() const { return allocation_ms_; }

  private:
    struct Slot {
        void* data = nullptr;
        std::size_t bytes = 0;
        std::vector<std::byte> constants;
    };
    std::vector<Slot> slots_;
    std::map<std::size_t, std::shared_ptr<void>> kept_;
    std::vector<Slot> pinned_;
    std::vector<cudaStream_t> streams_;
    std::vector<cudaEvent_t> events_;
    double allocation_ms_ = 0;
};

}  // namespace common
