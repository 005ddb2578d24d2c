#pragma once

#include <cstddef>
#include <cstdint>

#include "common/ptx.cuh"
#include "common/view.hpp"
#include "digits.cuh"
#include "matrices.hpp"
#include "stages.cuh"

// The matrix multiply-accumulates of a warp: four output rows of its segment from two stages.

namespace convolution::tiles {

/// A lane's fragment of the pixels, in column `lane / 4`: the left four and the right four of a
/// window's row.
struct Pixels {
    unsigned bytes[2];
};

/// Four bytes of some words: number `first`, and each `step` further. Both are constants in
/// unrolled loops, so this is one to three byte permutations.
static __device__ unsigned select_bytes(const unsigned* words, int first, int step) {
    const auto two = [&](int a, int b) {  // in the lowest bytes, or the word that has both
        return a / 4 == b / 4 ? words[a / 4]
                              : __byte_perm(words[a / 4], words[b / 4], a % 4 | (4 + b % 4) << 4);
    };
    const int second = first + step;
    const int third = second + step;
    const int fourth = third + step;
    const bool left_together = first / 4 == second / 4;
    const bool right_together = third / 4 == fourth / 4;
    const int selector = (left_together ? first % 4 | second % 4 << 4 : 0x10) |
                         (right_together ? (4 + third % 4) << 8 | (4 + fourth % 4) << 12 : 0x5400);
    return __byte_perm(two(first, second), two(third, fourth), selector);
}

template <int Channels>
struct Segment {
    DeviceView<std::uint8_t> out;
    std::ptrdiff_t begin;  ///< byte of a row
    int top;               ///< row
    int lane;
    Shared& shared;

    static constexpr int stride =
        Channels == 1 ? 1 : 3;  ///< bytes from a pixel to the next of its channel

    /// The lane's fragment of one of the four rows of a stage. The stage is the lower half of some
    /// windows, and then the upper half of those below.
    __device__ Pixels pixels_of(int stage, int product) const {
        constexpr int begin_byte = chunk - halo * stride;
        constexpr int first = begin_byte % 4;
        constexpr int words = (8 * stride + first + 3) / 4;
        const std::uint8_t* row = shared.rows[stage % stages][lane % 4] + begin_byte / 4 * 4;
        const int tile = lane / 4 + (Channels == 1 ? product * tiles : 0);
        const auto* from = reinterpret_cast<const unsigned*>(row + tile * tile_side * stride);
        unsigned bytes[words];
#pragma unroll
        for (int i = 0; i < words; ++i) bytes[i] = from[i];
        const int channel = Channels == 1 ? 0 : product;
        return {{select_bytes(bytes, first + channel, stride),
                 select_bytes(bytes, first + channel + 4 * stride, stride)}};
    }

    /// Computes the output rows whose windows cover this stage, in `upper`, and the next, which
    /// takes its place.
    template <int Digits>
    __device__ void convolve(int stage, Pixels (&upper)[products],
                             const LaneWeights (&weights)[2][Digits], Scale scale) const {
        int values[2][2 * products];  // in two tiles, in the order of the result's bytes
#pragma unroll
        for (int product = 0; product < products; ++product) {
            int sums[Digits][4] =
                {};  // rows lane / 4 and 8 more, columns lane % 4 * 2 and the next
            const Pixels lower = pixels_of(stage + 1, product);
#pragma unroll
            for (int d = 0; d < Digits; ++d) {
                common::multiply_add_s8_u8(sums[d], weights[0][d].words, upper[product].bytes);
                common::multiply_add_s8_u8(sums[d], weights[1][d].words, lower.bytes);
            }
            upper[product] = lower;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int pixel = i / 2;
                values[i % 2][Channels == 1 ? 2 * product + pixel : 3 * pixel + product] =
                    value_of<Scaling::shift>(sums, i, scale);
            }
        }
        to_shared(values);
    }

    /// Stages a lane's values (two neighbouring pixels in two tiles) for `store`.
    __device__ void to_shared(const int (&values)[2][2 * products]) const {
        std::uint8_t* row = shared.result[lane / 8];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int tile = lane % 4 * 2 + i;
            const int at = (tile * tile_side + lane / 4 % 2 * 2) * stride;
#pragma unroll
            for (int k = 0; k < products; ++k) {
                const int set = Channels == 1 ? k * tile_side * tiles : 2 * k;
                *reinterpret_cast<std::uint16_t*>(row + at + set) =
                    common::pack_u8(values[i][2 * k], values[i][2 * k + 1]);
            }
        }
    }

    /// Writes the output rows, with coalesced accesses, where they are inside the image.
    __device__ void store(int stage) const {
        constexpr int chunks = segment_bytes / chunk;
        const int y = top + stage * tile_side + lane / chunks;
        if (lane >= tile_side * chunks || y >= out.height) return;
        const int at = lane % chunks * chunk;
        const std::uint8_t* from = shared.result[lane / chunks] + at;
        std::uint8_t* to = out.row(y) + begin + at;
        const std::ptrdiff_t count = out.row_length() - begin - at;
        if (count >= chunk) {  // streaming: no kernel reads it again soon
            __stcs(reinterpret_cast<uint4*>(to), *reinterpret_cast<const uint4*>(from));
        } else {
            for (int i = 0; i < count; ++i) to[i] = from[i];
        }
    }
};

}  // namespace convolution::tiles
