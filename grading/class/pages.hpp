#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "results.hpp"

namespace grading {

/// id,name,status,score,max_score and one column per variant: its verdict, and the speedup of a
/// right one.
void write_grades(const std::vector<Grade>& grades, const std::filesystem::path& path);

/// For the teacher: a row per student, with a link to the student's page.
void write_index(const std::vector<Grade>& grades, const std::filesystem::path& path);

/// For the students: the right variants by speedup, under the students' pseudonyms.
void write_leaderboard(const std::vector<Grade>& grades,
                       const std::map<std::string, std::string>& names,
                       const std::filesystem::path& path);

/// A test suite per student, a test case per variant.
void write_junit(const std::vector<Grade>& grades, const std::filesystem::path& path);

}  // namespace grading
