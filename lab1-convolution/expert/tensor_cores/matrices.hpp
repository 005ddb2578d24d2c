#pragma once

#include <vector>

#include "digits.hpp"

// A mask as the matrices that cuda_best multiplies pixels by. A product makes 4x4 output values
// from the 8x8 pixels around them, in two steps of 16x32 times 32x8.

namespace convolution {

/// A lane's part of a 16x32 matrix of bytes, as the instruction mma.m16n8k32 wants it: of rows
/// `lane / 4` (words 0 and 2) and eight further (1 and 3), columns from `lane % 4 * 4` on (0 and 1)
/// and sixteen further (2 and 3).
struct alignas(16) LaneWeights {
    unsigned words[4];
};

/// The matrices of all digits, each for the 32 lanes of a warp: first those for the even rows of a
/// window, then those for the odd ones. Rows r and r + 8 make neighbouring pixels; columns are a
/// window's pixels in the order in which lanes have them. For masks of at most 5x5.
std::vector<LaneWeights> matrices_of(const Digits& digits);

}  // namespace convolution
