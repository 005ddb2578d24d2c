#pragma once

#include <string>
#include <vector>

#include "bench/messages.hpp"
#include "harness/lab.hpp"
#include "harness/measure.hpp"
#include "harness/statistics.hpp"

namespace harness {

/// The result of one trial; without samples if its result was wrong or it failed.
struct Result {
    Verdict verdict{};
    double cold_ms = 0;
    std::size_t bytes = 0;
    Samples samples{};
    Samples copy{};                                    ///< of as many bytes in the same rounds
    std::vector<std::vector<std::string>> measured{};  ///< for the experiment's own columns

    bool refused = false;  ///< the variant does not take these options; there is no row

    bool timed() const { return samples.size() > 0; }
};

/// The columns of an experiment's CSV file: those of all labs, the lab's, and the experiment's.
std::vector<std::string> columns_of(const Lab& lab, const Experiment& experiment);

/// The rows of one trial: one, or one per line of `result.measured`. `baseline` is the sequential
/// trial that speedups refer to, or null.
std::vector<ResultRow> rows_of(const Lab& lab, const Experiment& experiment, const Trial& trial,
                               const cv::Mat& in, const Result& result, const Result* baseline);

}  // namespace harness
