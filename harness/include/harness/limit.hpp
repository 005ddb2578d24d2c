#pragma once

#include <string>
#include <vector>

#include "harness/lab.hpp"

namespace common {

// What every lab's experiment `limit` has in common: the best variants beside what they came from,
// the libraries, and what no variant can go below. For large images that is a copy of the same
// bytes, which `percent_of_copy` has; for small ones on a GPU it is the launch of a kernel.

inline const std::vector<std::string> limit_columns{"empty_ms"};

/// The best variants alone, which have to show that they are as fast at odd widths.
std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants);

/// The value of limit_columns for a trial; empty for those on the CPU.
std::vector<std::vector<std::string>> limit_line(const Trial& trial, Runner& runner);

}  // namespace common
