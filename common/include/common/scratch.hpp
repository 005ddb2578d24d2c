#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

// The CUDA runtime's stream type, declared here so that labs build without the toolkit.
struct CUstream_st;
using cudaStream_t = CUstream_st*;

namespace common {

/// GPU memory that an algorithm needs besides its input and output. It belongs to the harness and
/// lasts from call to call, so it is allocated in the first one, outside the timing. `slot` (0, 1,
/// 2, …) tells apart the arrays of one variant.
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

    /// What else an algorithm makes once and uses in every call, a texture object for instance.
    /// Empty until the algorithm puts something there.
    std::shared_ptr<void>& kept(std::size_t slot) { return kept_[slot]; }

  private:
    struct Slot {
        void* data = nullptr;
        std::size_t bytes = 0;
        std::vector<std::byte> constants;
    };
    std::vector<Slot> slots_;
    std::map<std::size_t, std::shared_ptr<void>> kept_;
};

}  // namespace common
