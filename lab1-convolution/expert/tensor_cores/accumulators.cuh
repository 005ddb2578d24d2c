#pragma once

#include <cstdint>

#include "common/ptx.cuh"
#include "matrices.hpp"

// The accumulators of the matrix multiply-accumulates, and how those of the digits become pixels.

namespace convolution {

/// 1.5 * 2^23 as bits and as float. An integer below 2^22 plus the bits is, read as a float, the
/// integer plus 1.5 * 2^23: a conversion without a conversion instruction.
static constexpr int float_bias_bits = 0x4b400000;
static constexpr float float_bias = 12582912.0f;

/// A lane's fragment of the accumulators: rows `lane / 4` and 8 more, columns `lane % 4 * 2` and
/// the next.
struct Accumulators {
    int values[4];
};

/// A lane's fragment of the pixels, in column `lane / 4`: the left four and the right four of a
/// window's row.
struct Pixels {
    unsigned left, right;
};

/// sums + weights * pixels
static __device__ void multiply_add(Accumulators& sums, const LaneWeights& weights, Pixels pixels) {
    common::multiply_add_s8_u8(sums.values, weights.words, {pixels.left, pixels.right});
}

/// Two values as neighbouring pixels, clamped to 0..255.
static __device__ std::uint16_t two_pixels(int first, int second) {
    return static_cast<std::uint16_t>(common::pack_u8(first, second));
}

/// The factor of the weights, as Base256 has it.
struct Scale {
    int shift;
    float factor;
};

/// The initial value of a digit's accumulators.
template <bool Shifted>
static __device__ int initial_value(int digit) {
    return !Shifted && digit == 0 ? float_bias_bits : 0;
}

/// The weighted sum from the sums of its digits, truncated. In integers where the scale is a power
/// of two. Otherwise in floats: the sum of the least significant digit is a float already, and the
/// addition of `float_bias` truncates the result.
template <bool Shifted, int Digits>
static __device__ int value_of(const Accumulators (&sums)[Digits], int i, Scale scale) {
    int high = 0;
#pragma unroll
    for (int d = Digits - 1; d > 0; --d) high = 256 * high + sums[d].values[i];
    if constexpr (Shifted) {
        return (256 * high + sums[0].values[i]) >> scale.shift;
    } else {
        float sum = __int_as_float(sums[0].values[i]) - float_bias;
        if constexpr (Digits > 1) sum = fmaf(static_cast<float>(high), 256.0f, sum);
        return __float_as_int(__fmaf_rz(sum, scale.factor, float_bias)) - float_bias_bits;
    }
}

/// Four bytes of some words: number `first`, and each `step` further. Both are constants in
/// unrolled loops, so this is one to three byte permutations.
static __device__ unsigned select_bytes(const unsigned* words, int first, int step) {
    const auto two = [&](int a, int b) {  // in the lowest bytes, or the word that has both
        return a / 4 == b / 4 ? words[a / 4]
                              : __byte_perm(words[a / 4], words[b / 4],
                                            static_cast<unsigned>(a % 4 | (4 + b % 4) << 4));
    };
    const int second = first + step;
    const int third = second + step;
    const int fourth = third + step;
    const bool left_together = first / 4 == second / 4;
    const bool right_together = third / 4 == fourth / 4;
    const int selector = (left_together ? first % 4 | second % 4 << 4 : 0x10) |
                         (right_together ? (4 + third % 4) << 8 | (4 + fourth % 4) << 12 : 0x5400);
    return __byte_perm(two(first, second), two(third, fourth), static_cast<unsigned>(selector));
}

}  // namespace convolution
