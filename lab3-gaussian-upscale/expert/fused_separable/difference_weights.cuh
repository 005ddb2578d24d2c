#pragma once

// Weighted means by summation by parts: a value plus weighted differences.

#include <algorithm>
#include <numeric>

namespace upscale {

/// The weights of the differences v[k + 1] - v[k], to be added to v[base], for a weighted mean of
/// v: one multiply-add less than with the weights of values, because those sum to 1.
template <int Taps>
struct DifferenceWeights {
    float values[Taps - 1];
};

template <int Taps>
static DifferenceWeights<Taps> difference_weights(const float (&weights)[Taps], int base) {
    DifferenceWeights<Taps> result;
    for (int k = 0; k < Taps - 1; ++k) {
        // The difference moves all values beyond it, seen from the base.
        const double sum = k < base ? -std::accumulate(weights, weights + k + 1, 0.0)
                                    : std::accumulate(weights + k + 1, weights + Taps, 0.0);
        result.values[k] = sum;
    }
    return result;
}

/// A sum of few differences starts with the base. A sum of many is added to the base in the end,
/// because each addition to a biased value is rounded to a multiple of 2^-13.
template <int Taps, class Difference>
static __device__ float weighted(float base, const DifferenceWeights<Taps>& difference_weights,
                                 Difference difference) {
    constexpr bool few = Taps <= 5;
    float sum = few ? base : 0;
#pragma unroll
    for (int k = 0; k < Taps - 1; ++k) sum += difference_weights.values[k] * difference(k);
    return few ? sum : base + sum;
}

/// The filter for output columns, and for the two output rows that a window of Taps source rows
/// yields, above and below its centre. The base of a column is its own pixel, the base of a row is
/// the last row but one of the window.
template <int Taps>
struct Filters {
    DifferenceWeights<Taps> even_column;  ///< odd columns mirror it
    DifferenceWeights<Taps> upper;
    DifferenceWeights<Taps> lower;
};

template <int Taps>
static Filters<Taps> filters(const float* weights) {
    float even[Taps];
    float odd[Taps];
    for (int i = 0; i < Taps; ++i) even[i] = weights[i];
    std::reverse_copy(even, even + Taps, odd);
    const bool centre_is_row = Taps % 2 == 1;  // else it lies between an odd row and an even one
    return {difference_weights<Taps>(even, Taps / 2),
            difference_weights<Taps>(centre_is_row ? even : odd, Taps - 2),
            difference_weights<Taps>(centre_is_row ? odd : even, Taps - 2)};
}

}  // namespace upscale
