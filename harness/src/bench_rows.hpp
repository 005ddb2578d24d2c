#pragma once

#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "harness/measure.hpp"
#include "harness/statistics.hpp"
#include "supervisor.hpp"

namespace common {

/// What one trial gave; without samples if its result was wrong or it failed.
struct Result {
    Verdict verdict{};
    double cold_ms = 0;
    std::size_t bytes = 0;
    Samples samples{};
    Samples copy{};                                    ///< of as many bytes in the same rounds
    std::vector<std::vector<std::string>> measured{};  ///< for the experiment's own columns

    bool refused = false;  ///< the variant does not take these options; it gets no row

    bool timed() const { return samples.size() > 0; }
};

/// The columns that every lab's CSV files begin with.
const std::vector<std::string>& leading_columns();

/// The rows of one trial: one, or as many as `result.measured` has lines. `own_columns` is the
/// number of the experiment's own; `baseline` the sequential trial that speedups refer to, or null.
std::vector<ResultRow> rows_of(const Lab& lab, const std::string& experiment,
                               std::size_t own_columns, const Trial& trial, const cv::Mat& in,
                               const Result& result, const Result* baseline);

}  // namespace common
