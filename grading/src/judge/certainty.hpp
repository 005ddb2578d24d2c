#pragma once

// Estimates how much a speedup would vary if it were measured again.

#include <vector>

#include "judge/secret.hpp"

namespace grading {

double median(std::vector<double> values);

/// The times of the reference and of the variant in one round.
struct TimePair {
    double reference_ms = 0;
    double variant_ms = 0;
};

/// The median of the rounds' ratios, reference to variant. What makes a whole round slow, such as
/// the state of the memory, does not change its ratio; it would change that of two medians, which
/// may be of different rounds.
double median_ratio(const std::vector<TimePair>& rounds);

/// A range of ratios.
struct Interval {
    double low = 0;
    double high = 0;
};

/// The middle 95 % of the ratios that samples of the rounds have (bootstrap).
Interval interval_of_ratio(const std::vector<TimePair>& rounds, Secret random);

}  // namespace grading
