#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grading {

struct Student {
    std::string id;    ///< also the name of the student's folder
    std::string name;  ///< any text
};

/// Reads a CSV file whose header has the column `id`, and may have `name`; others are ignored.
/// Throws common::BadUsage, which names the line, if an id is empty, occurs twice, or has other
/// characters than letters, digits, '.', '_', '@' and '-', or begins with '.' or '-'.
std::vector<Student> read_roster(const std::filesystem::path& path);

}  // namespace grading
