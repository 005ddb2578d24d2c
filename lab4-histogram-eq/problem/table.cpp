#include "table.hpp"

#include <algorithm>
#include <numeric>

namespace equalize {

Table table_from_cdf(const Histogram& cdf) {
    const Count pixels = cdf.back();
    const Count cdf_min = *std::find_if(cdf.begin(), cdf.end(), [](Count n) { return n > 0; });
    Table table{};
    for (int level = 0; level < levels; ++level) {
        const auto at = static_cast<std::size_t>(level);
        table[at] = table_value(level, cdf[at], cdf_min, pixels);
    }
    return table;
}

Table table_from_histogram(const Histogram& histogram) {
    Histogram cdf{};
    std::partial_sum(histogram.begin(), histogram.end(), cdf.begin());
    return table_from_cdf(cdf);
}

}  // namespace equalize
