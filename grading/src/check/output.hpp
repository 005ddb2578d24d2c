#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "check/graded.hpp"
#include "check/intake.hpp"

namespace grading {

constexpr std::uintmax_t largest_picture = 300'000;  ///< bytes that a page of feedback may show

/// The bytes of the picture of a test, or 0 if feedback does not show it: it is hidden or too
/// large, or there is none.
std::uintmax_t shown_bytes(const std::string& picture, bool hidden);

/// All that is known of a submission when it has been graded.
struct Grade {
    std::string lab;
    std::vector<GradedVariant> variants;
    std::vector<Item> items;
    nlohmann::json facts;             ///< sandbox, seed, limits, machine
    std::vector<OtherFile> others{};  ///< that were not graded
};

/// The content of results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/
nlohmann::json results_of(const Grade& grade);
std::string junit_of(const Grade& grade);
std::string feedback_of(const Grade& grade);

/// "FILE REASON" of a file that was not graded.
std::string said_of(const OtherFile& other);

/// Removes the files of an earlier grading, so that nobody takes them for this one's.
void remove_output(const std::filesystem::path& folder);

/// Writes junit.xml, feedback.html and, last, results.json; each whole.
void write_output(const Grade& grade, const std::filesystem::path& folder);

}  // namespace grading
