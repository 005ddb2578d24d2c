#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "harness/testing.hpp"

namespace harness {

/// The mistakes of a variant in ranks that gives a rank wrong rows of its neighbours: the
/// definition, applied to each rank's rows and what lies around them. The most special ones first.
std::vector<KnownMistake> wrong_halos(const VariantCall& variant_call, const cv::Mat& in);

/// Says only which rows are wrong, where nothing else explains them.
std::vector<KnownMistake> wrong_rows_of_ranks(const VariantCall& variant_call, const cv::Mat& in);

}  // namespace harness
