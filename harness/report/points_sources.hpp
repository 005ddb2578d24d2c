#pragma once

// The times that points are computed from.

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace harness::summary {

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

}  // namespace harness::summary
