#pragma once

// Which threads of a launch load and store each byte of an image.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulation/types.hpp"

namespace emulation {

/// The threads of one launch that load, or store, each byte of an image from cudaMallocPitch.
struct ImageUsers {
    std::string kernel;
    std::uint64_t launch = 0;  ///< number
    std::uintptr_t image = 0;  ///< address
    bool are_stores = false;
    dim3 grid, block;
    std::size_t width = 0;  ///< bytes of a row, without padding
    std::size_t rows = 0;
    /// Row by row, without padding. Each thread once, as a number: that of its block in the grid
    /// times 1024, and that in the block.
    std::vector<std::vector<std::uint64_t>> threads;

    uint3 block_of(std::uint64_t thread) const;
    uint3 index_of(std::uint64_t thread) const;
};

struct Tally;

/// While an object lives, launches are watched. One at a time, and none while launches are counted.
class Watching {
  public:
    Watching();
    ~Watching();
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;

    /// In the order of the launches.
    std::vector<ImageUsers> images() const;

  private:
    std::unique_ptr<Tally> tally_;
};

}  // namespace emulation
