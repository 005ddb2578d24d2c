#pragma once

#include <span>
#include <string_view>

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

/// Why times with this spread, of which a part was `disturbed` by other work (0..1), are too
/// uncertain to state a ratio of two of them: "spread" or "disturbed"; "" if they are not. The
/// column `noise` of the CSV files has it, so that nobody else needs the limits.
constexpr std::string_view noise(double spread, double disturbed) {
    if (spread > most_spread) return "spread";
    return disturbed > most_disturbed ? "disturbed" : "";
}

constexpr bool too_noisy(double spread, double disturbed) {
    return !noise(spread, disturbed).empty();
}

/// Needs at least one sample; throws std::invalid_argument for none.
Statistics statistics(std::span<const double> samples);

}  // namespace harness
