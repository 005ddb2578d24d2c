#pragma once

#include "problem/mask.hpp"

namespace convolution {

/// A mask with fewer or cheaper operations: integer weights for 16-bit arithmetic, and a column and
/// a row whose product it is. Results stay those of the definition: exactly where float sums are
/// exact, within its bound elsewhere.
struct Decomposition {
    int size = 1;

    /// All weights are `scale` times an integer, and every sum of these integers over 8-bit pixels,
    /// plus `bias`, lies in 0..65535. So arithmetic modulo 2^16 gives this sum in any order. If
    /// false: scale = 1, bias = 0, the weights are floats.
    bool in_16_bits = false;
    float scale = 1;
    int shift = -1;   ///< scale = 2^-shift, or -1 if it is no such power of two
    int divisor = 0;  ///< scale is 1 / divisor, rounded to a float; or 0 if it is no such fraction
    int bias = 0;     ///< 255 times the sum of the negative integers' magnitudes

    /// weights[i][j] = column[i] * row[j], plus `centre` for the middle one: 2n + 1 operations
    /// instead of n*n. (Masks that sharpen add a multiple of the image to a separable mask.) With
    /// 16-bit sums, centre = 0, except in the result of decompose_with_centre.
    bool separable = false;
    float centre = 0;
    float column[Mask::max_size] = {};
    float row[Mask::max_size] = {};

    float weights[Mask::max_size * Mask::max_size] = {};  ///< row by row; divided by `scale`
};

Decomposition decompose(const Mask& mask);

/// The same, with 16-bit sums for masks that need more bits only for their middle weight, such as
/// unsharp5. An integer `centre` (not divided by `scale`) is split off; the other sums are shifted
/// before it is added, and floor(a + b / 2^s) = a + floor(b / 2^s) for an integer a.
Decomposition decompose_with_centre(const Mask& mask);

}  // namespace convolution
