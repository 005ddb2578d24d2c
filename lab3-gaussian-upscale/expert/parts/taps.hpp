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
    bool in_quarters;  ///< two taps of 0, 1/4, … 1, such as those of bilinear resampling
};

/// Leaves out outer taps whose weights are too small to change a result. In the default filter of
/// five taps that is the last one.
inline Taps taps_that_count(const Weights& weights) {
    // A fiftieth of what the oracle allows for float arithmetic.
    const auto counts = [&](int k) { return 255 * std::fabs(weights.at(k)) > 2e-5f; };
    int radius = weights.radius;
    while (radius > 1 && !counts(radius) && !counts(-radius)) --radius;
    const auto is_quarters = [&](int k) {
        const float quarters = 4 * weights.at(k);
        return quarters >= 0 && quarters <= 4 && quarters == std::floor(quarters);
    };
    const bool in_quarters = radius == 1 && !counts(1) && is_quarters(-1) && is_quarters(0);
    return {weights.values + weights.radius - radius, radius, counts(radius), in_quarters};
}

}  // namespace upscale
