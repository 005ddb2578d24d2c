#pragma once

#include <string>

#include "harness/job.hpp"

namespace integral {

/// Images as cv::integral and nppiIntegral_8u32s take and give them: 8-bit pixels, and 32-bit sums
/// that are exclusive, so that a row and a column of zeros precede the values of the lab. Refuses
/// (Unsupported) pixels beyond 0..255 and sums of 64 bits in the name of `variant`.
common::Adapter library_form(const std::string& variant);

}  // namespace integral
