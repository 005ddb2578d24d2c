#pragma once

#include <cmath>

#include "weights.hpp"

namespace upscale {

/// The weights that change a result: those of taps -radius … radius, of which the last may be too
/// small as well. `weights` points into the Weights that they were taken from.
struct Taps {
    const float* weights;
    int radius;
    bool last_counts;
};

/// Leaves out the outer taps whose weights are too small to count. For the default filter of five
/// taps that is the last one.
inline Taps taps_that_count(const Weights& weights) {
    // A fiftieth of what the definition leaves to float arithmetic.
    const auto counts = [&](int k) { return 255 * std::fabs(weights.at(k)) > 2e-5f; };
    int radius = weights.radius;
    while (radius > 1 && !counts(radius) && !counts(-radius)) --radius;
    return {weights.values + weights.radius - radius, radius, counts(radius)};
}

}  // namespace upscale
