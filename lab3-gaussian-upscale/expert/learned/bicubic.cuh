#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "problem/network.hpp"

// The bicubic part of the method `learned`, from a tile of pixels in shared memory.

namespace upscale {

/// 256 times the values of a row at the two phases of a column: of the five bytes from two to the
/// left to two to the right.
struct RowSums {
    int phase[2];
};

template <int Channels>
static __device__ RowSums row_sums(const std::uint8_t* left) {
    const int a = left[0];
    const int b = left[Channels];
    const int c = left[2 * Channels];
    const int d = left[3 * Channels];
    const int e = left[4 * Channels];
    const auto w = [](int tap) { return bicubic_256(tap); };
    return {{w(0) * a + w(1) * b + w(2) * c + w(3) * d, w(0) * e + w(1) * d + w(2) * c + w(3) * b}};
}

/// The output rows 2y and 2y + 1 of a column, from row sums of y - 2 … y + 2.
static __device__ void restore(const RowSums (&rows)[5], const std::int16_t* residuals,
                               std::uint8_t* upper, std::uint8_t* lower, int channels) {
    const auto w = [](int tap) { return bicubic_256(tap); };
#pragma unroll
    for (int phase = 0; phase < 2; ++phase) {
        const auto at = [&](int row) { return rows[row].phase[phase]; };
        const int even = w(0) * at(0) + w(1) * at(1) + w(2) * at(2) + w(3) * at(3);
        const int odd = w(0) * at(4) + w(1) * at(3) + w(2) * at(2) + w(3) * at(1);
        upper[phase * channels] = restored(even, residuals[phase]);
        lower[phase * channels] = restored(odd, residuals[2 + phase]);
    }
}

}  // namespace upscale
