#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem/mask.hpp"

namespace convolution {

/// The weights of a mask as multiples of one number, which are written in base 256 with digits from
/// -128 to 127: that is what matrix units multiply 8-bit pixels by.
struct Digits {
    int size = 1;                 ///< of the mask
    int count = 1;                ///< digits of a weight, 1 to 3, of which the first is worth 1
    std::vector<std::int8_t> of;  ///< digit d of weights[i] is of[d * size * size + i]
    float scale = 1;  ///< weights[i] = scale * (of[…] + 256 * of[…] + 65536 * of[…])
    int shift = -1;   ///< scale = 2^-shift, or -1 if it is no such power of two

    std::int8_t at(int digit, int i, int j) const {
        return of[static_cast<std::size_t>((digit * size + i) * size + j)];
    }
};

/// Digits whose sums are those of the definition: exactly where these are exact in float (then they
/// are at most two), elsewhere inside its bound, with three roundings to spare. Nothing if there
/// are none: weights of very different magnitude, or such large ones that sums exceed 2^21.
std::optional<Digits> digits_for(const Mask& mask);

}  // namespace convolution
