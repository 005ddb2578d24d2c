#pragma once

// The results of the tests of a submission, from which a later grading of the same files goes on
// to the speeds.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace grading {

/// A hash (BLAKE2b), in hexadecimal digits.
std::string fingerprint_of(const std::string& content);

/// Writes FOLDER/tested.json, without the reasons of hidden tests, as students may read it, and
/// copies the picture of each variant that feedback shows.
void write_tested(nlohmann::json tested, const std::filesystem::path& folder);

/// Throws BadUsage if there is none for this lab.
nlohmann::json read_tested(const std::filesystem::path& folder, const std::string& lab);

void remove_tested(const std::filesystem::path& folder);

}  // namespace grading
