#pragma once

#include <cmath>

#include "problem/weights.hpp"

namespace upscale {

/// The weights that can change a result: those of taps -radius … radius, of which the last may be
/// too small as well. `weights` points into the Weights of `taps_that_count`.
struct Taps {
    const float* weights;
    int radius;
    bool last_counts;
};

/// Leaves out outer taps whose weights are too small to change a result. In the default filter of
/// five taps that is the last one.
inline Taps taps_that_count(const Weights& weights) {
    // A fiftieth of what the oracle allows for float arithmetic.
    const auto counts = [&](int k) { return 255 * std::fabs(weights.at(k)) > 2e-5f; };
    int radius = weights.radius;
    while (radius > 1 && !counts(radius) && !counts(-radius)) --radius;
    return {weights.values + weights.radius - radius, radius, counts(radius)};
}

}  // namespace upscale
