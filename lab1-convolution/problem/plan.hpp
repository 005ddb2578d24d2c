#pragma once

#include "mask.hpp"

namespace convolution {

/// What a fast variant can make of a mask. Results stay those of the definition: exactly where sums
/// are exact, within its bound elsewhere.
struct Plan {
    int size = 1;

    /// All weights are `scale` times an integer, exactly, and the integers are so small that any
    /// sum of them over 8-bit pixels, plus `bias`, lies in 0..65535. Arithmetic modulo 2^16 then
    /// gives this sum, whatever its order. Without: scale = 1, bias = 0, the weights are floats.
    bool in_16_bits = false;
    float scale = 1;
    int shift = -1;  ///< scale = 2^-shift, or -1 if it is no such power of two
    int bias = 0;    ///< 255 times the sum of the negative integers' magnitudes

    /// weights[i][j] = column[i] * row[j], and the middle one `centre` more: n + n + 1 operations
    /// do the work of n * n. (Masks that sharpen are of this kind: a multiple of the image, less a
    /// blurred one.) Sums in 16 bits have no centre, but for those of plan_with_centre.
    bool separable = false;
    float centre = 0;
    float column[Mask::max_size] = {};
    float row[Mask::max_size] = {};

    float weights[Mask::max_size * Mask::max_size] = {};  ///< row by row; divided by `scale`
};

Plan plan_for(const Mask& mask);

/// The same, with sums of 16 bits for some more masks. `unsharp5` needs more bits in the middle
/// only, where its weight is -36/256 and 2 more: without the 2, which is then `centre` (not divided
/// by `scale`), the sums fit. These are shifted first, and since floor(a + b / 2^s) = a + floor(b /
/// 2^s) for an integer a, nothing is lost.
Plan plan_with_centre(const Mask& mask);

}  // namespace convolution
