#pragma once

#include <span>

namespace harness {

struct Statistics {
    double min = 0;
    double median = 0;
    double trimmed_mean = 0;  ///< mean without one minimum and one maximum; of < 3 samples: mean
    double max = 0;
    double q1 = 0;  ///< lower and upper quartile, interpolated linearly between samples
    double q3 = 0;

    /// Interquartile range over median: how far the middle half of the samples spreads.
    double spread() const { return median > 0 ? (q3 - q1) / median : 0; }
};

inline constexpr double most_spread = 0.25;

/// If at least 30 % of the repeats are undisturbed, the lower quartile is that of an undisturbed
/// repeat, and the spread shows how much the others were slowed down.
inline constexpr double most_disturbed = 0.7;

/// True if times with this spread, of which a part was `disturbed` by other work (0..1), are too
/// uncertain to state a ratio of two of them.
constexpr bool too_noisy(double spread, double disturbed) {
    return disturbed > most_disturbed || spread > most_spread;
}

/// Of at least one sample; throws std::invalid_argument for none.
Statistics statistics(std::span<const double> samples);

}  // namespace harness
