#pragma once

#include <string>

#include "harness/testing.hpp"

namespace harness {

/// Says which threads of an emulated kernel store the same values of an image, or load the same
/// ones where each is to be loaded once, and which values no thread takes; or "".
std::string shared_values(const VariantCall& variant_call, const cv::Mat& in);

}  // namespace harness
