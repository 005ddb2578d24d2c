#pragma once

#include <string>
#include <vector>

#include "testing_calls.hpp"

namespace harness {

/// Names the rows, columns and channel that have all wrong values of an output, as "the last row of
/// each 16": a border of a strip, a tile, a block or a vector shows the code that is wrong.
/// `difference` is that of a Verdict. "" if wrong values are in all rows, columns and channels, or
/// in no such order.
std::string place_of_wrong_values(const cv::Mat& difference);

/// A line of a message: the same of the largest output that shows a place; or "".
std::string place_of_wrong_values(std::vector<const Finding*> findings);

}  // namespace harness
