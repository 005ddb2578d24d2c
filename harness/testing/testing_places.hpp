#pragma once

#include <string>
#include <vector>

#include "testing_calls.hpp"

namespace harness {

/// Names the only rows, columns and channel of an output that have wrong values, as "the last row
/// of each 16". `difference` is that of a Verdict. "" if wrong values are in all rows, columns and
/// channels, or form no pattern.
std::string place_of_wrong_values(const cv::Mat& difference);

/// A line of a message, with the place in the largest output that has one; or "".
std::string place_of_wrong_values(std::vector<const Finding*> findings);

}  // namespace harness
