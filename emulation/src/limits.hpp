#pragma once

// Properties of the emulated GPU. It has compute capability 9.0 and few multiprocessors, so that
// cooperative launches, all of whose threads wait at once, are small.

#include <cstddef>
#include <cstdint>

namespace emulation {

inline constexpr struct {
    unsigned block_threads = 1024;
    unsigned block_z = 64;
    unsigned grid_x = 0x7fffffff;
    unsigned grid_yz = 65535;
    std::size_t shared_bytes = 48 * 1024;
    std::size_t shared_bytes_opt_in = 227 * 1024;
    std::size_t multiprocessor_shared_bytes = 228 * 1024;
    int cluster_blocks = 16;
    unsigned multiprocessors = 4;
    unsigned multiprocessor_threads = 2048;
    unsigned multiprocessor_blocks = 32;
    std::size_t texture_alignment = 512;  ///< of the address
    std::size_t texture_pitch_alignment = 32;

    constexpr std::uint64_t resident_blocks(std::uint64_t threads) const {
        const std::uint64_t each = multiprocessor_threads / threads;
        return multiprocessors * (each < multiprocessor_blocks ? each : multiprocessor_blocks);
    }
} limits;

}  // namespace emulation
