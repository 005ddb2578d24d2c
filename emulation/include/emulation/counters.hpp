#pragma once

// Counts of a kernel's memory accesses, in the terms of Nsight Compute: requests, sectors,
// wavefronts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulation/types.hpp"

namespace emulation {

enum class Space : unsigned char { global, shared, texture };
enum class Operation : unsigned char { load, store, atomic };

inline constexpr unsigned lanes_of_warp = 32;
inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned banks = 32;
inline constexpr unsigned bank_bytes = 4;

/// One request: what the lanes of a warp access when they execute one instruction together.
/// Addresses count from the beginning of global memory, or of the block's shared memory.
struct Request {
    std::array<std::uint64_t, lanes_of_warp> address{};
    std::array<std::uint8_t, lanes_of_warp> bytes{};
    std::uint32_t active = 0;  ///< bit i: lane i takes part

    bool has(unsigned lane) const { return (active >> lane & 1) != 0; }
};

/// A request that stands for the others of its line, with the place where it was seen.
struct Example {
    Request request;
    bool interior = false;  ///< in the block in the middle of the grid
    std::uint64_t cost = 0;
    std::uint64_t block = 0;  ///< number in the grid
    uint3 block_index{};
    unsigned warp = 0;

    bool better_than(const Example& other) const;
};

struct AccessCounts {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;       ///< sum over the requests
    std::uint64_t live_lanes = 0;  ///< that could have taken part
    std::uint64_t bytes = 0;       ///< sum over all lanes
    std::uint64_t sectors = 0;     ///< of 32 bytes, that a request touches; atomics: in each turn
    std::uint64_t ideal_sectors = 0;   ///< if its distinct bytes were contiguous and aligned
    std::uint64_t wavefronts = 0;      ///< passes over the banks of shared memory
    std::uint64_t conflicts = 0;       ///< wavefronts beyond those without bank conflicts
    unsigned width = 0;                ///< bytes per lane
    unsigned most_on_one_address = 0;  ///< turns that lanes take in an atomic function
    Example example{};

    void add(const Example& seen, std::uint32_t live, Space space, Operation operation);
    void add(const AccessCounts& other);
};

/// The accesses of one kind in one line of source code.
struct LineCounts {
    std::string file;
    int line = 0;
    Space space{};
    Operation operation{};
    AccessCounts counts{};
};

/// All launches of a kernel with one size of block.
struct KernelCounts {
    std::string name;
    dim3 grid, block;
    bool same_grid = true;         ///< otherwise `grid` is the first launch's
    std::size_t shared_bytes = 0;  ///< per block, static and dynamic
    std::uint64_t launches = 0;
    std::uint64_t blocks = 0;
    std::uint64_t warps = 0;
    std::uint64_t barriers = 0;  ///< sum over the blocks
    /// Bytes that one thread has stored in global and shared memory, atomic functions included: the
    /// most of each launch, added up.
    std::uint64_t most_stored = 0;
    std::uint64_t warp_operations = 0;  ///< shuffles, votes, reductions, matrix products
    std::vector<LineCounts> lines;      ///< by file and line
};

struct Tally;

/// While an object lives, launches are counted. One at a time.
class Counting {
  public:
    Counting();
    ~Counting();
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

    /// In the order of the first launches.
    std::vector<KernelCounts> kernels() const;

  private:
    std::unique_ptr<Tally> tally_;
};

/// The 32-byte sectors that a request touches, sorted.
std::vector<std::uint64_t> sectors_of(const Request& request);

/// A word of shared memory that a wavefront reads or writes, and the lanes that access the word.
struct BankWord {
    std::uint64_t word = 0;  ///< address / 4
    std::uint32_t lanes = 0;
    unsigned bank() const { return static_cast<unsigned>(word % banks); }
};

/// A request to shared memory: the warp accesses 8 bytes per lane in two parts, 16 in four. A part
/// takes as many wavefronts as its busiest bank has distinct words.
struct Part {
    std::vector<BankWord> words;  ///< distinct
    unsigned wavefronts = 0;
};
std::vector<Part> parts_of(const Request& request);

}  // namespace emulation
