#pragma once

// The results in the output of a test. CTest's files (ctest.cpp) and the output of a test program
// that ran without CTest (gtest_log.cpp) are read alike.

#include <filesystem>
#include <string>
#include <vector>

#include "report.hpp"

namespace harness::summary {

/// From the line that VariantTestBase::report() prints.
Configurations read_configurations(const std::string& output);

/// Sets outcome and message of a test that did not pass. `reason` is CTest's word: "Timeout",
/// "Failed", "Not Run", "SEGFAULT", ... `ended_early`: the program ended before the test was over.
void classify_failure(TestCase& test, const std::string& reason, bool ended_early);

/// Sets outcome and message of a test that was skipped. `otherwise` is the reason if the output
/// has none.
void classify_skipped(TestCase& test, const std::string& otherwise);

/// The tests in the output of GoogleTest programs, whose last line is "ended: exit code N after S
/// s".
std::vector<TestCase> read_gtest_logs(const std::filesystem::path& folder);

}  // namespace harness::summary
