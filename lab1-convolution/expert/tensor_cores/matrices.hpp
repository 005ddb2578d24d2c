#pragma once

#include <vector>

#include "problem/base256.hpp"

// A mask as the left matrices of cuda_best's multiply-accumulates. They make an output tile of 4x4
// pixels from the window of 8x8 pixels around it, in two steps of 16x32 times 32x8.

namespace convolution {

/// A lane's fragment of a 16x32 matrix of bytes, in the layout of mma.m16n8k32: rows `lane / 4`
/// (words 0 and 2) and 8 more (1 and 3), columns from `lane % 4 * 4` (0 and 1) and 16 more (2 and
/// 3).
struct alignas(16) LaneWeights {
    unsigned words[4];
};

/// The matrices of all digits, each for the 32 lanes of a warp: first those for the even rows of a
/// window, then those for the odd rows. Rows r and r + 8 are neighbouring pixels. Columns are the
/// pixels of a window in the order in which lanes load them. For masks of at most 5x5.
std::vector<LaneWeights> matrices_of(const Base256& weights);

}  // namespace convolution
