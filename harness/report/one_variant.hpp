#pragma once

// The measurements and the verdict of `run_all.sh --variant`. See report.hpp for the folder of the
// lab; its tests are in gtest*.log instead of ctest.xml.

#include <filesystem>
#include <string>
#include <vector>

#include "points.hpp"
#include "report.hpp"

namespace harness::summary {

/// The steps after the tests; nothing if the tests failed.
struct Plan {
    std::string experiment{};                ///< empty if the variant cannot be timed here
    std::vector<std::string> variants{};     ///< to time beside the sequential ones
    std::vector<CounterRun> explanations{};  ///< of emulated kernels
};

/// By the rules for points in the file `rules`, if there is one.
Plan plan_for(const LabReport& lab, const std::string& variant, const std::filesystem::path& rules);

struct VariantVerdict {
    std::string text;  ///< one screen
    Outcome outcome = Outcome::not_tested;
};

VariantVerdict verdict_on(const LabReport& lab, const std::string& variant,
                          const std::filesystem::path& rules);

}  // namespace harness::summary
