#pragma once

// Estimates how much a ratio of medians would vary if it were measured again.

#include <vector>

#include "judge/secret.hpp"

namespace grading {

double median(std::vector<double> values);

/// The times of the reference and of the variant in one round.
struct TimePair {
    double reference_ms = 0;
    double variant_ms = 0;
};

/// The median of the references' times over that of the variants'.
double ratio_of_medians(const std::vector<TimePair>& rounds);

/// A range of ratios.
struct Interval {
    double low = 0;
    double high = 0;
};

/// The middle 95 % of the ratios that samples of the rounds have (bootstrap).
Interval interval_of_ratio(const std::vector<TimePair>& rounds, Secret random);

}  // namespace grading
