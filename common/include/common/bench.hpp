#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/lab.hpp"

namespace common {

struct BenchPlan {
    std::vector<std::string> experiments;  ///< names; empty: all of the lab's
    BenchRequest request;
    int repeats = 10;               ///< >= 10
    std::filesystem::path csv_dir;  ///< made if it does not exist
};

/// Runs the experiments and writes EXPERIMENT.csv and EXPERIMENT_samples.csv for each. Every trial
/// is verified before it is timed. Returns false if one was wrong; it has then been reported on
/// stderr and stands in the CSV without times.
bool run_bench(const Lab& lab, const BenchPlan& plan);

}  // namespace common
