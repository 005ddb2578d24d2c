#pragma once

#include <cstdint>
#include <cstdlib>

#include "harness/random.hpp"
#include "problem/mask.hpp"

/// A mask without any symmetry whose sums are exact in float: odd multiples of 1/256 of either
/// sign, larger towards one corner, so that a flipped or transposed mask cannot pass.
inline convolution::Mask asymmetric_mask(int size, std::uint64_t seed = 1) {
    convolution::Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) {
        const auto bits = harness::random_at(seed, static_cast<std::uint64_t>(i));
        const int magnitude = 1 + 2 * static_cast<int>((bits >> 8) % 64) + 8 * (i % size);
        mask.weights[i] = static_cast<float>(bits % 3 == 0 ? -magnitude : magnitude) / 256.0f;
    }
    return mask;
}

/// Random weights between -1 and 1 that are not exact in any sense.
inline convolution::Mask random_mask(int size, std::uint64_t seed) {
    convolution::Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) {
        const auto bits = harness::random_at(seed, static_cast<std::uint64_t>(i)) >> 32;
        mask.weights[i] =
            (static_cast<float>(bits) / 4294967296.0f * 2 - 1) / static_cast<float>(size);
    }
    return mask;
}

using convolution::irregular_mask;

/// A mask that is symmetric in both axes but not separable.
inline convolution::Mask symmetric_mask(int size) {
    convolution::Mask mask{size, {}};
    const int k = size / 2;
    for (int i = 0; i < size * size; ++i) {
        const int far = std::abs(i / size - k) + std::abs(i % size - k);
        mask.weights[i] = static_cast<float>(1 + far % 3 * 5 - far) / 256.0f;
    }
    return mask;
}
