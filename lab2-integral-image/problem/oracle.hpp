#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"

namespace integral {

/// The exact integral image of `in`, of type sum_type(in), by the recurrence
/// S(x,y) = S(x-1,y) + S(x,y-1) - S(x-1,y-1) + I(x,y), which no variant uses.
cv::Mat integral_image(const cv::Mat& in);

/// Requires every value of an output to equal integral_image(in).
harness::Check oracle(const cv::Mat& in);

}  // namespace integral
