#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/limits.hpp"

namespace common {

class Scratch;

/// Threads of a CUDA block in x and y.
struct Block {
    int width = 16;
    int height = 16;
    constexpr int threads() const { return width * height; }
    bool operator==(const Block&) const = default;
};

/// Parses "32x8". Throws BadUsage unless both numbers are positive and the product is <= 1024.
Block parse_block(std::string_view text);

/// "32x8".
inline std::string to_string(Block block) {
    return std::to_string(block.width) + "x" + std::to_string(block.height);
}

/// The options of every variant of every lab. Each lab's Options derives from it.
struct RunOptions {
    int threads = 1;             ///< OpenMP threads, >= 1; of a rank, if there are ranks
    int ranks = 2;               ///< processes of an mpi variant, >= 1
    std::optional<Block> block;  ///< CUDA block; unset: the variant's own choice
    Scratch* scratch = nullptr;  ///< for device variants; the harness sets it before each call
    Limits limits{};             ///< of the machine; less in tests of versions for older ones
};

}  // namespace common
