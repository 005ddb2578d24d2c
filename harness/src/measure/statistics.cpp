#include "harness/statistics.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace harness {
namespace {

/// The value below which `part` (0..1) of the samples lie.
double quantile(const std::vector<double>& sorted, double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double weight = place - static_cast<double>(below);
    return sorted[below] + weight * (sorted[above] - sorted[below]);
}

}  // namespace

Statistics statistics(std::span<const double> samples) {
    if (samples.empty()) throw std::invalid_argument("statistics of no samples");
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());

    std::span<const double> kept = sorted;
    if (kept.size() >= 3) kept = kept.subspan(1, kept.size() - 2);
    const double mean =
        std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
    return {.min = sorted.front(),
            .median = quantile(sorted, 0.5),
            .trimmed_mean = mean,
            .max = sorted.back(),
            .q1 = quantile(sorted, 0.25),
            .q3 = quantile(sorted, 0.75)};
}

}  // namespace harness
