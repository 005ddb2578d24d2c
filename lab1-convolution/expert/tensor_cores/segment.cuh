#pragma once

#include <cstddef>
#include <cstdint>

#include "accumulators.cuh"
#include "common/view.hpp"
#include "stages.cuh"

// What a warp makes of the stages of its segment: four output rows from two stages.

namespace convolution {

template <int Channels>
struct Segment {
    DeviceView<std::uint8_t> out;
    std::ptrdiff_t begin;  ///< byte of a row
    int top;               ///< row
    int lane;
    Shared& shared;

    static constexpr int stride =
        Channels == 1 ? 1 : 3;  ///< bytes from a pixel to the next of its channel

    /// The lane's fragment of the windows that begin in this stage: of rows 2 * (lane % 4) and the
    /// next, the even or the odd one.
    __device__ Pixels pixels_of(int stage, int odd, int product) const {
        constexpr int begin_byte = chunk - halo * stride;
        constexpr int first = begin_byte % 4;
        constexpr int words = (8 * stride + first + 3) / 4;
        const int pair = lane % 4;
        const std::uint8_t* row =
            shared.rows[(stage + pair / 2) % stages][pair % 2 * 2 + odd] + begin_byte / 4 * 4;
        const int tile = lane / 4 + (Channels == 1 ? product * tiles : 0);
        const auto* from = reinterpret_cast<const unsigned*>(row + tile * tile_side * stride);
        unsigned bytes[words];
#pragma unroll
        for (int i = 0; i < words; ++i) bytes[i] = from[i];
        const int channel = Channels == 1 ? 0 : product;
        return {select_bytes(bytes, first + channel, stride),
                select_bytes(bytes, first + channel + 4 * stride, stride)};
    }

    /// Computes the output rows whose windows cover this stage and the next.
    template <bool Shifted, int Digits>
    __device__ void convolve(int stage, const LaneWeights (&weights)[2][Digits],
                             Scale scale) const {
        int values[2][2 * products];  // in two tiles, in the order of the result's bytes
#pragma unroll
        for (int product = 0; product < products; ++product) {
            Accumulators sums[Digits];
#pragma unroll
            for (int d = 0; d < Digits; ++d) {
                const int initial = initial_value<Shifted>(d);
                sums[d] = {{initial, initial, initial, initial}};
            }
#pragma unroll
            for (int odd = 0; odd < 2; ++odd) {
                const Pixels pixels = pixels_of(stage, odd, product);
#pragma unroll
                for (int d = 0; d < Digits; ++d) multiply_add(sums[d], weights[odd][d], pixels);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int pixel = i / 2;
                values[i % 2][Channels == 1 ? 2 * product + pixel : 3 * pixel + product] =
                    value_of<Shifted>(sums, i, scale);
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
                    two_pixels(values[i][2 * k], values[i][2 * k + 1]);
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

}  // namespace convolution
