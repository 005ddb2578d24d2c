#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"

// What every variant has to produce, for `run --verify`, the benchmark, the tests and the judge. It
// shares no code with any variant.

namespace @{space}@::oracle {

cv::Mat expected(const cv::Mat& in);

/// Accepts expected(in) only.
common::Check check(const cv::Mat& in);

}  // namespace @{space}@::oracle
