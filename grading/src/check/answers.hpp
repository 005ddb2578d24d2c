#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <string>

#include "check/graded.hpp"

namespace grading {

/// The numbers that a student has handed in, and the key, whose values no student may see.
struct Answers {
    std::map<std::string, std::string> given{};
    std::map<std::string, std::string> key{};
};

/// Lines of "name = value"; `#` begins a comment. Of a name that comes twice, the last value
/// counts.
std::map<std::string, std::string> read_values(std::istream& in);

/// True if `answer` is a number within 1 % of `right`, or inside `right` = "low..high". Throws
/// BadUsage if `right` is neither. driver/run/points.py has the same rule for students.
bool is_right(const std::string& answer, const std::string& right);

/// `content` is that of the student's answers.txt. Without the file `key`, a person compares.
Answers read_answers(const std::string& content, const std::filesystem::path& key);

/// The points of a rule `answers` in points.json. Throws BadUsage if the key lacks a number.
Item answer_item(const Answers& answers, const nlohmann::json& rule);

}  // namespace grading
