#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/lab.hpp"

namespace harness {

// The common part of the experiment `limit` of all labs. It compares the best variants with the
// libraries and with the least time that is possible. For large images this is the time of a copy
// of the same bytes (the column percent_of_copy); for small images on a GPU it is the launch of an
// empty kernel.

inline const std::vector<std::string> limit_columns{"empty_ms"};

/// True if a variant of the request is for a GPU.
bool has_gpu(const BenchRequest& request);

/// Sizes of the images: 256x256 and 480x270; with --full also `large`. On machines without a GPU,
/// --full adds 16x16: so small an image shows the cost of starting threads.
std::vector<std::pair<int, int>> limit_sizes(const BenchRequest& request,
                                             const std::vector<std::pair<int, int>>& large);

/// The variants called omp_best, cuda_best, ...
std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants);

/// `variants` and then the libraries of the request.
std::vector<VariantInfo> with_libraries(const BenchRequest& request,
                                        std::vector<VariantInfo> variants);

/// The value of limit_columns for a trial; empty for those on the CPU.
std::vector<std::vector<std::string>> limit_line(const Trial& trial, Runner& runner);

}  // namespace harness
