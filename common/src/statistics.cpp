#include "common/statistics.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace common {

Statistics statistics(std::span<const double> samples) {
    if (samples.empty()) throw std::invalid_argument("statistics of no samples");
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());

    const std::size_t middle = sorted.size() / 2;
    const double median =
        sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;

    std::span<const double> kept = sorted;
    if (kept.size() >= 3) kept = kept.subspan(1, kept.size() - 2);
    const double mean =
        std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
    return {sorted.front(), median, mean, sorted.back()};
}

}  // namespace common
