#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/lab.hpp"

namespace harness {

// The experiment `older_cpus` of all labs: omp_best restricted to the vector instructions of older
// CPUs, on the largest images of another experiment.

inline const std::vector<std::string> older_cpus_columns{"instruction_set"};

/// The problems of `experiment` with the most pixels, for omp_best alone. Each problem has a trial
/// for each instruction set of this machine, from the baseline on, and the trials take turns.
std::vector<Problem> for_older_cpus(
    BenchRequest request,
    const std::function<std::vector<Problem>(const BenchRequest&)>& experiment);

}  // namespace harness
