#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace grading {

/// The rules for points of a lab, as in labN-name/assignment/points.json. A mistake in them would
/// cost a whole class its points, so there must be none: throws BadUsage, with one line, for a key
/// that nobody reads, for a file, reference or test that does not exist, and for points that do not
/// add up to 100. `source` is the repository; `hidden` a folder with more tests, or "".
nlohmann::json read_rules(const std::filesystem::path& file, const std::filesystem::path& source,
                          const std::filesystem::path& hidden = {});

}  // namespace grading
