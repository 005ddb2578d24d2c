#pragma once

// Weighted means as a value and weighted differences, and the filter in that form.

#include <algorithm>
#include <numeric>

namespace upscale {

/// A weighted mean of values v[0], v[1], … as v[base] plus weighted differences v[k + 1] - v[k]:
/// one multiply-add less, since the weights sum to 1.
template <int Taps>
struct Slopes {
    float values[Taps - 1];
};

template <int Taps>
static Slopes<Taps> slopes(const float (&weights)[Taps], int base) {
    Slopes<Taps> result;
    for (int k = 0; k < Taps - 1; ++k) {
        // What lies beyond the difference, seen from the base, moves by it.
        const double sum = k < base ? -std::accumulate(weights, weights + k + 1, 0.0)
                                    : std::accumulate(weights + k + 1, weights + Taps, 0.0);
        result.values[k] = static_cast<float>(sum);
    }
    return result;
}

/// A sum of few differences starts with the base. One of many is added to it in the end, since each
/// addition to a biased value is rounded to a multiple of 2^-13.
template <int Taps, class Difference>
static __device__ float weighted(float base, const Slopes<Taps>& slopes, Difference difference) {
    constexpr bool few = Taps <= 5;
    float sum = few ? base : 0;
#pragma unroll
    for (int k = 0; k < Taps - 1; ++k) sum += slopes.values[k] * difference(k);
    return few ? sum : base + sum;
}

/// The filter for output columns, and for both rows that a window of Taps source rows gives: those
/// next to its centre, above and below. The base of columns is their own pixel, that of rows is the
/// last but one of the window.
template <int Taps>
struct Filters {
    Slopes<Taps> even_column;  ///< the odd one mirrors it
    Slopes<Taps> upper;
    Slopes<Taps> lower;
};

template <int Taps>
static Filters<Taps> filters(const float* weights) {
    float even[Taps];
    float odd[Taps];
    std::copy_n(weights, Taps, even);
    std::reverse_copy(even, even + Taps, odd);
    const bool centre_is_row = Taps % 2 == 1;  // else it lies between an odd row and an even one
    return {slopes<Taps>(even, Taps / 2), slopes<Taps>(centre_is_row ? even : odd, Taps - 2),
            slopes<Taps>(centre_is_row ? odd : even, Taps - 2)};
}

}  // namespace upscale
