#pragma once

// Lines of "name = value": a student's answers, and their key.

#include <istream>
#include <map>
#include <string>

namespace harness::summary {

/// `#` begins a comment. Of a name that comes twice, the last value counts.
std::map<std::string, std::string> read_values(std::istream& in);

/// True if `answer` is a number within 1 % of `right`, or inside `right` = "low..high". Throws
/// BadUsage if `right` is neither.
bool is_right(const std::string& answer, const std::string& right);

}  // namespace harness::summary
