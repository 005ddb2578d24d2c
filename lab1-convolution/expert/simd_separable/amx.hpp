#pragma once

#include <cstdint>
#include <optional>

#include "common/view.hpp"
#include "expert/parts/base256.hpp"
#include "tiling.hpp"

// A convolution on Intel's AMX: what tensor cores are to cuda_best.

namespace convolution {

/// A mask as left matrices of 16 rows and 64 columns. The right matrices are pixels: a column for
/// every fourth byte of a source row, with four bytes of each of 8 source rows in two groups. Row
/// 4q + o of the product is byte o of every four bytes of output row q.
struct AmxWeights {
    struct alignas(64) Matrix {
        std::int8_t weights[16][64];  ///< column 4 (2r + g) + b: source row r, byte 4g + b
    };
    int radius = 0;
    int digits = 1;
    int halves = 1;        ///< windows of more than 8 bytes take two matrices
    int shift = -1;        ///< as in Base256
    float scale = 1;       ///< as in Base256
    Matrix of[2][3] = {};  ///< of[half][digit]
};

/// Nothing if the window of 4 x 4 output bytes exceeds 8 rows of 16 bytes, or the weights have no
/// digits.
std::optional<AmxWeights> amx_weights_for(const Mask& mask, int channels);

/// Convolves rows [top, bottom). Only where the machine has InstructionSet::amx.
void convolve_with_amx(common::ImageView<const std::uint8_t> in, Output out,
                       const AmxWeights& weights, int top, int bottom);

}  // namespace convolution
