#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"
#include "problem/variant.hpp"

// What every variant has to produce, for `run --verify`, the benchmark, the tests and the judge. It
// shares no code with any variant.

namespace @{space}@::oracle {

cv::Mat expected(const cv::Mat& in, const Options& options);

/// Accepts what is expected, and nothing else.
common::Check check(const cv::Mat& in, const Options& options);

}  // namespace @{space}@::oracle
