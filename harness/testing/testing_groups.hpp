#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "harness/testing.hpp"

namespace harness {

/// The outputs of variants that store several values at once, as bytes of a word or elements of a
/// vector, in another order.
std::vector<KnownMistake> wrong_groups(const VariantCall& variant_call, const cv::Mat& in);

}  // namespace harness
