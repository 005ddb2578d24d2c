#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"

namespace integral {

/// The sums that the definition gives, for `run --verify` and the benchmark: 64-bit prefix sums of
/// the rows, then of the columns. Every value of an output must be equal.
common::Check check_against_definition(const cv::Mat& in);

}  // namespace integral
