#pragma once

#include <cstdint>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "matrices.hpp"

// What the two kernels share: the value of a sum of digits, and the arguments of their launch.

namespace convolution {

/// 1.5 * 2^23 as bits and as float. An integer below 2^22 plus the bits is, read as a float, the
/// integer plus 1.5 * 2^23: a conversion without a conversion instruction.
static constexpr int float_bias_bits = 0x4b400000;
static constexpr float float_bias = 12582912.0f;

/// The factor of the weights, as Base256 has it.
struct Scale {
    int shift;
    float factor;
};

/// The weighted sum from the sums of its digits, truncated. In integers where the scale is a power
/// of two. Otherwise in floats: the sum of the least significant digit is a float already, and the
/// addition of `float_bias` truncates the result.
template <bool Shifted, int Digits>
static __device__ int value_of(const int (&sums)[Digits][4], int i, Scale scale) {
    int high = 0;
#pragma unroll
    for (int d = Digits - 1; d > 0; --d) high = 256 * high + sums[d][i];
    if constexpr (Shifted) {
        return (256 * high + sums[0][i]) >> scale.shift;
    } else {
        float sum = __int_as_float(sums[0][i]) - float_bias;
        if constexpr (Digits > 1) sum = fmaf(static_cast<float>(high), 256.0f, sum);
        return __float_as_int(__fmaf_rz(sum, scale.factor, float_bias)) - float_bias_bits;
    }
}

struct LaunchArguments {
    common::DeviceView<const std::uint8_t> in;
    common::DeviceView<std::uint8_t> out;
    common::Block block;
    const LaneWeights* matrices;  ///< on the GPU
    Scale scale;
    cudaStream_t stream;
};

}  // namespace convolution
