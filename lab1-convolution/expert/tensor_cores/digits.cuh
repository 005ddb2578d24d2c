#pragma once

#include <cstdint>

#include "common/cuda.cuh"
#include "common/ptx.cuh"
#include "common/view.hpp"
#include "matrices.hpp"

// Both kernels use this: it makes pixels of the sums of digits, and has the arguments of a launch.

namespace convolution {

/// The weighted sum from the sums of its digits, scaled and truncated, for the scales that need
/// clamping. floor((256 * a + b) / 2^s) = floor((a + floor(b / 256)) / 2^(s - 8)), so three digits
/// stay within 32 bits.
template <Scaling How, int Digits>
static __device__ int value_of(const int (&sums)[Digits][4], int i, Scale scale) {
    static_assert(How == Scaling::whole || How == Scaling::digit || How == Scaling::shift);
    if constexpr (How == Scaling::whole) return sums[0][i];
    if constexpr (Digits == 1) return sums[0][i] >> scale.shift;
    if constexpr (How == Scaling::digit) return sums[1][i] + (sums[0][i] >> 8);
    if constexpr (Digits == 2) return (256 * sums[1][i] + sums[0][i]) >> scale.shift;
    if constexpr (Digits == 3) {
        return (256 * sums[2][i] + (sums[1][i] + (sums[0][i] >> 8))) >> scale.shift;
    }
}

/// Four pixels as bytes, in the order 0, 2, 1, 3. Averages are bytes of their scaled sums already.
template <Scaling How, int Digits>
static __device__ unsigned pixels_of(const int (&sums)[Digits][4], Scale scale) {
    if constexpr (How == Scaling::byte || How == Scaling::reciprocal) {
        constexpr unsigned select = How == Scaling::byte ? 0x51 : 0x73;  // byte 1 or 3 of both
        unsigned scaled[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            scaled[i] = sums[0][i];
            if constexpr (How == Scaling::reciprocal) scaled[i] *= scale.factor;
        }
        return __byte_perm(__byte_perm(scaled[0], scaled[2], select),
                           __byte_perm(scaled[1], scaled[3], select), 0x5410);
    } else {
        int values[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) values[i] = value_of<How>(sums, i, scale);
        return common::pack_u8(values[0], values[2], common::pack_u8(values[1], values[3]));
    }
}

struct LaunchArguments {
    common::DeviceView<const std::uint8_t> in;
    int first;  ///< row of `in` that belongs to the first row of `out`
    common::DeviceView<std::uint8_t> out;
    common::Block block;
    const LaneWeights* matrices;  ///< on the GPU
    Scale scale;
    cudaStream_t stream;
};

}  // namespace convolution
