#pragma once

#include <opencv2/core.hpp>

#include "harness/verify.hpp"
#include "options.hpp"

namespace upscale {

/// What may be lost to float arithmetic, on top of the half that rounding takes.
inline constexpr double slack = 1e-3;

/// The values that the definition allows, for `run --verify` and the benchmark: those within
/// 0.5 + slack of the weighted mean in double precision, worked out in two passes.
common::Check check_against_definition(const cv::Mat& in, const Options& options, double sigma);

}  // namespace upscale
