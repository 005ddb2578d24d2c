#pragma once

#include <optional>
#include <string>
#include <string_view>

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
std::string to_string(Block block);

/// Vector instructions of a CPU: x86-64-v1, v3 and v4, then permutations of 128 bytes (VBMI), then
/// products of matrices of bytes (AMX). Other CPUs have only the baseline.
enum class InstructionSet { baseline, avx2, avx512, avx512_vbmi, amx };

/// The most that a variant may use of a GPU.
struct DeviceLimit {
    int compute_capability = 1000;  ///< 75 for 7.5
    int shared_bytes = 1 << 30;     ///< for a block
};

/// The options of every variant of every lab. Each lab's Options derives from it.
struct RunOptions {
    int threads = 1;             ///< OpenMP threads, >= 1; of a rank, if there are ranks
    int ranks = 2;               ///< processes of an mpi variant, >= 1
    std::optional<Block> block;  ///< CUDA block; unset: the variant's own choice
    Scratch* scratch = nullptr;  ///< for device variants; the harness sets it before each call

    /// The most that omp_best may use: tests run its versions for older CPUs with it.
    InstructionSet instruction_set = InstructionSet::amx;

    /// The same for cuda_best and older GPUs.
    DeviceLimit device_limit{};
};

}  // namespace common
