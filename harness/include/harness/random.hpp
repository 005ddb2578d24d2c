#pragma once

#include <cstdint>

namespace harness {

/// The `index`-th 64-bit number of stream `seed`: the SplitMix64 sequence (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014), addressed by position. Integer
/// arithmetic only, so it gives the same numbers on every platform and in any thread order.
constexpr std::uint64_t random_at(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

}  // namespace harness
