#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "roster.hpp"

namespace grading {

/// A pseudonym for each student, which says nothing about the student. They are kept in
/// `path` (id,pseudonym; readable by its owner only), so that they stay the same from run to run.
std::map<std::string, std::string> pseudonyms(const std::vector<Student>& students,
                                              const std::filesystem::path& path);

}  // namespace grading
