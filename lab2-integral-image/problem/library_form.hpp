#pragma once

#include <string>

#include "harness/job.hpp"

namespace integral {

/// Images in the form of cv::integral and nppiIntegral_8u32s: 8-bit pixels, and exclusive 32-bit
/// sums, which a row and a column of zeros precede. Throws Unsupported, in the name of `variant`,
/// for pixels beyond 0..255 and for 64-bit sums.
harness::Adapter library_form(const std::string& variant);

}  // namespace integral
