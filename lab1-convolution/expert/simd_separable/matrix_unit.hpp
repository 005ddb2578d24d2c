#pragma once

#include <cstdint>
#include <optional>

#include "common/view.hpp"
#include "expert/tensor_cores/digits.hpp"

// The matrix unit of a CPU (Intel's AMX) as a means to convolve: what tensor cores are to
// cuda_best.

namespace convolution {

/// A mask as matrices of 16 rows and 64 columns, to be multiplied by matrices of pixels: 64 rows of
/// four bytes of each of 8 source rows, in two groups, and a column for every fourth byte of a row.
/// Row 4q + o of the product is then byte o of every four bytes of output row q.
struct TileWeights {
    struct alignas(64) Matrix {
        std::int8_t weights[16][64];  ///< column 4 (2r + g) + b: source row r, byte 4g + b
    };
    int radius = 0;
    int digits = 1;
    int halves = 1;        ///< windows of more than 8 bytes take two matrices
    int shift = -1;        ///< as in Digits
    float scale = 1;       ///< as in Digits
    Matrix of[2][3] = {};  ///< of[half][digit]
};

/// Nothing if the windows of four neighbouring values are larger than 8 rows of 16 bytes, or the
/// weights have no digits.
std::optional<TileWeights> tile_weights_for(const Mask& mask, int channels);

/// Rows [top, bottom) of the output. Only where the machine has InstructionSet::amx.
void convolve_with_matrix_unit(common::ImageView<const std::uint8_t> in,
                               common::ImageView<std::uint8_t> out, const TileWeights& weights,
                               int top, int bottom);

}  // namespace convolution
