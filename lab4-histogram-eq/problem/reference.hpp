#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"

namespace equalize {

/// What the definition gives, for `run --verify` and the benchmark; of a colour picture, with only
/// its luma equalized. Every value of an output must be equal.
common::Check check_against_definition(const cv::Mat& in);

}  // namespace equalize
