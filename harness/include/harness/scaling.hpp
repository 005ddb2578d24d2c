#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/lab.hpp"

namespace harness {

// The experiment `scaling` of all labs: OpenMP rungs and the CPU's libraries with 1 to all threads.
// Each is measured beside a copy with as many threads.

/// "strong" or "weak"; and ThreadTimes (thread_times.hpp) of more than one thread.
inline const std::vector<std::string> scaling_columns{"scaling", "idle_percent", "imbalance",
                                                      "serial_ms"};

/// 1, 2, 3, 4, 6, 8, 12, 16, … up to `all`, and `all` itself; without `full`, powers of two only.
std::vector<int> thread_counts(int all, bool full);

/// Strong scaling alone, of the image of `problem_of`.
std::vector<Problem> for_strong_scaling(
    BenchRequest request, const std::function<Problem(const BenchRequest&)>& problem_of);

/// Strong scaling: an image of `width` x `height` for every number of threads. Weak scaling: each
/// thread has as many rows as it has of that image if all threads share it. `problem_of` makes the
/// lab's problem with the variants and the threads of the request.
std::vector<Problem> for_scaling(
    BenchRequest request, int width, int height,
    const std::function<Problem(const BenchRequest&, int width, int height)>& problem_of);

}  // namespace harness
