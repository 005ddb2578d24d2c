#pragma once

#include <optional>
#include <vector>

#include "expert/parts/base256.hpp"

// The rows of a mask as the left matrices of cuda_best's multiply-accumulates. A matrix of 16x32
// makes a run of 16 output bytes from the window of 32 bytes around it, for one row of the mask.
// Weights of a pixel's channels are as far apart as the channels' bytes, so pixels stay
// interleaved.

namespace convolution {

inline constexpr int run_bytes = 16;
inline constexpr int window_bytes = 32;
inline constexpr int window_halo = (window_bytes - run_bytes) / 2;  ///< 5x5 needs 6, in colour
inline constexpr int largest_mask = 5;

/// A lane's fragment of a 16x32 matrix of bytes, in the layout of mma.m16n8k32: rows `lane / 4`
/// (words 0 and 2) and 8 more (1 and 3), columns from `lane % 4 * 4` (0 and 1) and 16 more (2 and
/// 3).
struct alignas(16) LaneWeights {
    unsigned words[4];
};

/// Rows of the kernel for a mask; those that a smaller mask lacks are zeros.
inline int kernel_rows(int mask_size) {
    return mask_size <= 3 ? 3 : 5;
}

/// The matrices of all digits, each for all rows of the mask, each of these for the 32 lanes of a
/// warp. Rows r and r + 8 are neighbouring bytes of the run. Columns are the bytes of the window,
/// in an order in which a lane's are eight neighbouring ones.
std::vector<LaneWeights> matrices_of(const Base256& weights, int channels);

/// The same for tiles of 4x4 pixels, which are made from the window of 8x8 pixels around them: for
/// its upper four rows, then for the lower four, the matrices of all digits. Rows r and r + 8 are
/// neighbouring pixels. Columns are the pixels of a window in the order in which lanes load them.
std::vector<LaneWeights> tile_matrices_of(const Base256& weights);

/// How the sum of a pixel becomes its value, truncated and clamped.
enum class Scaling {
    byte,        ///< one digit, the weights are 256ths of an average: byte 1 of the sum
    reciprocal,  ///< one digit, an average: byte 3 of the sum times `factor`
    whole,       ///< one digit: the sum
    digit,       ///< several digits: the sum without the least significant one
    shift        ///< shifted by `shift` bits
};

struct Scale {
    Scaling scaling;
    int shift;  ///< with three digits, what is left to shift after the least significant one
    unsigned factor;
};

/// The weights of a mask that has at most three digits, and how their sums are scaled. One digit
/// whose scale is no power of two is taken for averages only: their sums need no clamping, and 255
/// times them divided by up to 256 is exact with 32 bits. Others have three digits then.
struct ScaledWeights {
    Base256 weights;
    Scale scale;
};

std::optional<ScaledWeights> scaled_weights(const Mask& mask);

/// True if the higher ones of two digits are zero in all rows but the middle one, as in masks that
/// sharpen, and the scale is Scaling::digit: their products can be left out.
bool sharpens(const ScaledWeights& mask);

}  // namespace convolution
