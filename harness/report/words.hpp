#pragma once

// Words and numbers that all forms of the summary have in common.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "report.hpp"

namespace harness::summary {

/// A failure for the list of failures.
struct Failure {
    std::string where;  ///< "lab1-convolution omp_hangs"
    std::string what;   ///< "timeout"
    std::string message;

    std::string line() const { return where + ": " + what + ": " + message; }
};

std::vector<Failure> failures(const LabReport& lab);

/// The run in one sentence.
std::string verdict(const Run& run);

/// "correct", "correct (emulated)", or the outcome if it is another one.
std::string result_of(const VariantReport& variant);

/// "correct (emulated)" for a test that an emulated variant passed, or "".
std::string emulated_result_of(const TestCase& test, const LabReport& lab);

/// A note on a variant besides its outcome and numbers.
std::string note_of(const VariantReport& variant);

/// "this run is too noisy to rank its variants", or "".
std::string noise_of(const LabReport& lab);

/// The headings of the columns of numbers; "12.3 ± 4 %" is a time with its spread.
inline constexpr std::array<const char*, 3> number_columns{"kernel ms", "speedup", "% of copy"};

/// The variant's numbers for these columns, "-" where there is none.
std::vector<std::string> numbers_of(const VariantReport& variant);

/// A sentence on what the lab's times are.
std::string times_of(const LabReport& lab);

/// "-" if there is no value.
std::string decimal(const std::optional<double>& value, int digits);

/// Three significant digits from 0.001 on.
std::string milliseconds(double ms);

/// Removes what XML does not allow: most control characters, including a terminal's colours, and
/// bytes that are not UTF-8, such as half a letter at the end of a shortened message.
std::string printable(std::string text);

}  // namespace harness::summary
