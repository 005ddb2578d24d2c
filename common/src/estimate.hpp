#pragma once

#include <vector>

#include "common/lab.hpp"

namespace common {

/// How long the problems will take, in seconds, from one timed call of each variant with each set
/// of parameters and from the trials' `work`. Good to a factor of two or so.
double estimated_seconds(const Lab& lab, const std::vector<Problem>& problems, int repeats);

}  // namespace common
