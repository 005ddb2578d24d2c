#pragma once

// Word loads and stores for a thread that owns 12 bytes of a source row: whole words, and whole
// pixels with 1 and with 3 channels.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/cuda.cuh"
#include "problem/options.hpp"

namespace upscale {

constexpr int owned = 12;           // bytes of a source row, for a thread
constexpr int columns = 2 * owned;  // bytes of an output row

/// The word at byte `begin` of a row that goes on with its first or last pixel.
template <int Channels>
static __device__ __attribute__((noinline)) unsigned word_at_border(const std::uint8_t* row,
                                                                    std::ptrdiff_t begin,
                                                                    std::ptrdiff_t row_length) {
    unsigned word = 0;
    for (int i = 0; i < 4; ++i) {
        std::ptrdiff_t at = begin + i;
        const std::ptrdiff_t channel = (at + 8 * Channels) % Channels;  // at >= -24
        if (at < 0) at = channel;
        if (at >= row_length) at = row_length - Channels + channel;
        word |= row[at] << (8 * i);
    }
    return word;
}

/// The bytes of a source row that a thread needs: its own, with a halo on both sides.
template <int Channels, int Radius>
struct RowWords {
    static constexpr int halo = (Channels * Radius + 3) / 4 * 4;
    static constexpr int bytes = halo + owned + halo;
    unsigned words[bytes / 4];

    /// The thread's bytes begin at `first`, a multiple of 4. Rows of device images are aligned.
    __device__ void load(const std::uint8_t* row, std::ptrdiff_t first, std::ptrdiff_t row_length) {
        const std::ptrdiff_t begin = first - halo;
        if (begin >= 0 && begin + bytes <= row_length) {
            const auto* from = reinterpret_cast<const unsigned*>(row + begin);
#pragma unroll
            for (int w = 0; w < bytes / 4; ++w) words[w] = from[w];
        } else {
#pragma unroll
            for (int w = 0; w < bytes / 4; ++w) {
                words[w] = word_at_border<Channels>(row, begin + 4 * w, row_length);
            }
        }
    }

    /// Byte i of the thread's own, or of the halo.
    __device__ float value(int i) const {
        return words[(halo + i) / 4] >> (8 * ((halo + i) % 4)) & 0xff;
    }

    /// The weighted sum over x for a thread's output column.
    __device__ float resampled(const Weights& weights, int column) const {
        const bool even = column / Channels % 2 == 0;
        const int centre = column / Channels / 2 * Channels + column % Channels;
        float sum = 0;
#pragma unroll
        for (int k = -Radius; k <= Radius; ++k) {
            sum += value(centre + k * Channels) * weights.values[even ? Radius + k : Radius - k];
        }
        return sum;
    }
};

/// Stores a thread's columns of an output row, of which the last may lie beyond the row's end.
template <int Columns>
static __device__ void store(std::uint8_t* to, const float (&sums)[Columns], std::ptrdiff_t left) {
#pragma unroll
    for (int i = 0; i < Columns; i += 8) {
        std::uint8_t bytes[8];
        for (int b = 0; b < 8; ++b) bytes[b] = to_pixel(sums[i + b]);
        if (left >= Columns) {
            std::memcpy(__builtin_assume_aligned(to + i, 8), bytes, 8);
        } else {
            for (int b = 0; b < 8; ++b) {
                if (i + b < left) to[i + b] = bytes[b];
            }
        }
    }
}

}  // namespace upscale
