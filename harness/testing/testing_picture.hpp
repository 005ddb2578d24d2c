#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "testing_calls.hpp"

namespace harness {

/// Input, expected output and output around the first wrong value, as three grids of numbers side
/// by side, in lines that begin with a line break and four spaces. Wrong values have a `*`.
std::string picture(const VariantCall& variant_call, const Finding& finding);

}  // namespace harness
