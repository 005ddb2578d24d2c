#pragma once

// The results of the tests of a submission, from which a later grading of the same files goes on
// to the speeds.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace grading {

constexpr std::uintmax_t largest_picture = 300'000;  ///< bytes that a page of feedback may show

/// Differs between two files with different contents.
std::string fingerprint_of(const std::string& content);

/// Writes FOLDER/tested.json, and copies the picture of each variant that feedback shows.
void write_tested(nlohmann::json tested, const std::filesystem::path& folder);

/// Throws BadUsage if there is none for this lab.
nlohmann::json read_tested(const std::filesystem::path& folder, const std::string& lab);

void remove_tested(const std::filesystem::path& folder);

}  // namespace grading
