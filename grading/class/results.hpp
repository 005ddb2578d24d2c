#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roster.hpp"

namespace grading {

struct VariantResult {
    std::string name;
    std::string verdict;  ///< "right", "wrong", ...
    std::string reason;
    std::optional<double> speedup;

    bool right() const { return verdict == "right"; }
};

struct Grade {
    Student student;
    bool submitted = false;
    bool graded = false;
    std::string page{};  ///< the folder of the student's page: "tests" or "speed"
    double score = 0;
    double max_score = 0;
    std::vector<VariantResult> variants{};

    /// "graded", "not submitted", or "not graded": the grading itself did not end.
    std::string status() const;
};

/// The student's results: those with times in FOLDER/speed/results.json, or else those without in
/// FOLDER/tests/results.json.
Grade read_grade(const Student& student, const std::filesystem::path& folder, bool submitted);

/// True if some variant in FOLDER/tests/results.json is right.
bool has_right_variant(const std::filesystem::path& folder);

}  // namespace grading
