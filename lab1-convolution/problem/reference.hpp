#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"
#include "mask.hpp"

namespace convolution {

/// The values that the definition allows, for `run --verify` and the benchmark: the sum is worked
/// out in double precision, and an output may differ from it by what n*n float operations can lose
/// (Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1: gamma_n sum |I K|).
/// Where float sums are exact, a single value is allowed.
common::Check check_against_definition(const cv::Mat& in, const Mask& mask);

}  // namespace convolution
