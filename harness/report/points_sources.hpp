#pragma once

// The data that points are computed from: times, and lines of "name = value".

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace common::summary {

/// The speedup of a variant over `against`, or the reason why there is none.
struct Ratio {
    std::optional<double> value{};
    std::string trouble{};
    bool noisy = false;  ///< measured, but too noisy for a ratio
};

/// From the medians in an experiment's CSV file: at the largest image that both variants have, the
/// fastest row of each. `where` are values of columns.
Ratio speed_ratio(const std::filesystem::path& csv, const std::string& variant,
                  const std::string& against, const std::map<std::string, std::string>& where);

/// Lines of "name = value"; `#` begins a comment. Empty if there is no such file.
std::map<std::string, std::string> read_values(const std::filesystem::path& path);

/// True if `answer` is a number within 1 % of `right`, or inside `right` = "low..high". Throws
/// BadUsage if `right` is neither.
bool is_right(const std::string& answer, const std::string& right);

}  // namespace common::summary
