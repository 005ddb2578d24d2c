#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem/mask.hpp"

namespace convolution {

/// The weights of a mask as integer multiples of `scale`, in base 256 with signed digits (-128 to
/// 127). Matrix multiply-accumulate units (tensor cores, AMX) multiply such bytes by 8-bit pixels.
struct Base256 {
    int size = 1;                     ///< of the mask
    int digits = 1;                   ///< of each weight, 1 to 3, the least significant first
    std::vector<std::int8_t> values;  ///< digit d of weight i is values[d * size * size + i]
    float scale = 1;
    int shift = -1;   ///< scale = 2^-shift, or -1 if it is no such power of two
    int divisor = 0;  ///< scale is 1 / divisor, rounded to a float; or 0 if it is no such fraction

    std::int8_t at(int digit, int i, int j) const {
        return values[static_cast<std::size_t>((digit * size + i) * size + j)];
    }
};

/// The digits of the mask. If float sums are exact, the digits (at most two) are exact too. If not,
/// they stay within the bound of the definition, with three roundings to spare. Nothing if there
/// are no such digits: weights of very different magnitude, or so large that sums exceed 2^21.
std::optional<Base256> in_base_256(const Mask& mask);

/// The weights rounded to multiples of a power of two, 2^-9 or less, with three digits and the same
/// bound. Nothing if there are no such digits. `shift` stays -1: sums may need more than 32 bits.
std::optional<Base256> rounded_to_base_256(const Mask& mask);

}  // namespace convolution
