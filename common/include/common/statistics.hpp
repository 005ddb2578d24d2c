#pragma once

#include <span>

namespace common {

struct Statistics {
    double min = 0;
    double median = 0;
    double trimmed_mean = 0;  ///< mean without one minimum and one maximum; of < 3 samples: mean
    double max = 0;
};

/// Of at least one sample; throws std::invalid_argument for none.
Statistics statistics(std::span<const double> samples);

}  // namespace common
