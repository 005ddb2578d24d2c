#pragma once

#include <cstdint>

#include "problem/network.hpp"

// The network as the left matrices of cuda_learned_mma's multiply-accumulates.

namespace upscale {

/// A lane's fragment of a 16x32 matrix of bytes, in the layout of mma.m16n8k32: rows `lane / 4`
/// (words 0 and 2) and 8 more (1 and 3), columns from `lane % 4 * 4` (0 and 1) and 16 more (2 and
/// 3).
struct alignas(16) Fragment {
    unsigned words[4];
};

/// A layer as matrices. Rows r and r + 8 are the outputs 2r and 2r + 1, so that a lane has pairs of
/// neighbouring bytes; in the last layer, rows 0 to 3 are the phases.
struct LayerFragments {
    /// The first layer has one product: column 4 * dy + dx is a tap. In the others, product p has
    /// the 16 inputs of tap 2p and the 16 inputs of tap 2p + 1.
    static constexpr int products = (network_taps + 1) / 2;

    Fragment weights[products][32];  ///< for each lane
    int bias[network_channels];      ///< of a row, with the half that rounds
    int shift;
};

struct NetworkFragments {
    LayerFragments layers[network_layers];
};

NetworkFragments fragments_of(const Network& network);

}  // namespace upscale
