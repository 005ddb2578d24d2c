#pragma once

#include <string>
#include <vector>

#include "harness/lab.hpp"

namespace common {

// The common part of the experiment `limit` of all labs. It compares the best variants with the
// libraries and with the least time that is possible. For large images this is the time of a copy
// of the same bytes (the column percent_of_copy); for small images on a GPU it is the launch of an
// empty kernel.

inline const std::vector<std::string> limit_columns{"empty_ms"};

/// The variants called omp_best, cuda_best, ...
std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants);

/// The value of limit_columns for a trial; empty for those on the CPU.
std::vector<std::vector<std::string>> limit_line(const Trial& trial, Runner& runner);

}  // namespace common
