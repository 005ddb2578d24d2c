#pragma once

// The vertical pass of cuda_best: from resampled rows to output rows, a few columns at a time.

#include <cuda_fp16.h>

#include <cstdint>

#include "difference_weights.cuh"

namespace upscale {

constexpr int columns = 8;  // of the output, for a thread: one store

/// Two biased sums as halves, clamped to pixel values if weights are negative.
template <bool Clamp>
static __device__ unsigned round_pair(float low, float high) {
    const __half2 rounded = __floats2half2_rn(low, high);
    const unsigned both = reinterpret_cast<const unsigned&>(rounded);
    return Clamp ? __vminu2(__vmaxu2(both, 0x64006400), 0x64ff64ff) : both;
}

/// Four biased sums as bytes.
template <bool Clamp>
static __device__ unsigned pack(const float* sums) {
    return __byte_perm(round_pair<Clamp>(sums[0], sums[1]), round_pair<Clamp>(sums[2], sums[3]),
                       0x6420);
}

/// A thread's columns of an output row, of biased sums.
template <bool Clamp>
static __device__ uint2 pack_columns(const float (&sums)[columns]) {
    return {pack<Clamp>(sums), pack<Clamp>(sums + 4)};
}

/// The output of a thread: `count` columns of rows begin … end.
struct Target {
    std::uint8_t* column;
    std::ptrdiff_t pitch;
    int begin;
    int end;
    int count;
    bool whole;  ///< all columns are inside the image

    __device__ bool has(int Y) const { return begin <= Y && Y < end; }
};

/// A streaming store: the output does not displace the source from the caches.
static __device__ void store(std::uint8_t* to, uint2 bytes) {
    __stcs(reinterpret_cast<uint2*>(to), bytes);
}

/// Stores the first `count` bytes of up to eight.
static __device__ void store_bytes(std::uint8_t* to, uint2 bytes, int count) {
#pragma unroll 1
    for (int i = 0; i < min(count, columns); ++i) {
        const unsigned word = i < 4 ? bytes.x : bytes.y;
        to[i] = word >> (8 * (i % 4));
    }
}

/// Stores the part of a row that is inside the target.
static __device__ void store_inside(const Target& target, int Y, std::uint8_t* to, uint2 bytes) {
    if (!target.has(Y)) return;
    if (target.whole) return store(to, bytes);
    store_bytes(to, bytes, target.count);
}

/// The rows above, in registers: differences of adjacent rows, and the last row itself.
template <int Taps>
struct SlidingWindow {
    float differences[Taps - 1][columns];
    float last[columns];

    /// Appends the difference to the row below.
    __device__ void complete(const float (&below)[columns]) {
#pragma unroll
        for (int c = 0; c < columns; ++c) {
#pragma unroll
            for (int k = 0; k < Taps - 2; ++k) differences[k][c] = differences[k + 1][c];
            differences[Taps - 2][c] = below[c] - last[c];
        }
    }

    __device__ void keep(const float (&row)[columns]) {
#pragma unroll
        for (int c = 0; c < columns; ++c) last[c] = row[c];
    }

    /// An output row, as biased sums.
    __device__ void blend(const DifferenceWeights<Taps>& difference_weights,
                          float (&sums)[columns]) const {
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            sums[c] =
                weighted(last[c], difference_weights, [&](int k) { return differences[k][c]; });
        }
    }
};

}  // namespace upscale
