#pragma once

#include <cstdint>
#include <limits>

// The most that a variant may use of the machine. Variants with several versions of their code
// choose by it; tests and the experiment `older_cpus` run the versions for older machines.

namespace common {

/// Vector instructions of a CPU: the baseline, for which a file is compiled (x86-64-v2, that is
/// SSE4, in expert/, v1 elsewhere), x86-64-v3 and v4, then permutations of 128 bytes (VBMI), then
/// products of matrices of bytes (AMX). Other CPUs have only the baseline.
enum class InstructionSet { baseline, avx2, avx512, avx512_vbmi, amx };

/// Their names in tests, and in tables.
struct InstructionSetNames {
    const char* in_tests;
    const char* in_tables;
};
inline constexpr InstructionSetNames instruction_set_names[] = {{"baseline", "baseline"},
                                                                {"avx2", "AVX2"},
                                                                {"avx512", "AVX-512"},
                                                                {"avx512_vbmi", "AVX-512 VBMI"},
                                                                {"amx", "AMX"}};
constexpr const InstructionSetNames& names_of(InstructionSet set) {
    return instruction_set_names[static_cast<int>(set)];
}

/// The most that a variant may use of a GPU.
struct DeviceLimit {
    int compute_capability = 1000;  ///< 75 for 7.5
    int shared_bytes = 1 << 30;     ///< for a block
};

struct Limits {
    InstructionSet instruction_set = InstructionSet::amx;

    /// Of a result that is written through the caches; see exceeds_caches.
    std::int64_t max_cached_output = std::numeric_limits<std::int64_t>::max();

    DeviceLimit device{};
};

}  // namespace common
