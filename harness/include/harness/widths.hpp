#pragma once

#include <functional>
#include <vector>

#include "harness/lab.hpp"

namespace harness {

// The experiment `widths` of all labs: omp_best on images of many widths. A width that is much
// slower per pixel than its neighbours shows what a design does not expect: rows a multiple of 4
// KiB apart, rows that are not aligned, last vectors that are not full.

/// 1024 to 8192 in steps of 32, and 4096 with up to 64 more or fewer; without `full`, a few of
/// them. In ascending order.
std::vector<int> widths_to_try(bool full);

/// Each width once; with `full` twice, the second time in descending order. A width that is slow in
/// one pass alone had unlucky pages. `problem_of` makes the lab's problem with the variants of the
/// request, of the given size.
std::vector<Problem> for_widths(
    BenchRequest request,
    const std::function<Problem(const BenchRequest&, int width, int height)>& problem_of);

}  // namespace harness
