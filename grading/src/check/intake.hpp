#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grading {

/// A variant file as it was handed in: read once, and used from this copy only.
struct SubmittedFile {
    std::string variant;  ///< the file's name without its number: "omp_rows"
    std::string file;     ///< what students call it: "02_omp_rows.cpp"
    bool on_device = false;
    std::string content;
};

/// A file that is named like a variant, but is not taken.
struct RefusedFile {
    std::string variant;
    std::string file;
    std::string reason;
};

/// Any other file of the hand-in: it has no part in the grade.
struct OtherFile {
    std::string file;  ///< with its folders; "": several
    std::string reason;
};

struct Intake {
    std::vector<SubmittedFile> files;
    std::vector<RefusedFile> refused;
    std::string answers{};            ///< what is in answers.txt
    std::vector<OtherFile> others{};  ///< those that are nearly called like an expected one first
};

/// Takes the variants of a submission: regular files [NN_](omp|cuda)_NAME.(cpp|cu) directly in the
/// folder, the first 16 by name, of at most 256 KB. And answers.txt. All other files are named,
/// with the nearest of the expected names. Throws BadUsage if the submission is no folder that can
/// be read.
Intake take_in(const std::filesystem::path& submission,
               const std::vector<std::string>& expected = {});

}  // namespace grading
