#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace grading {

struct Answers;

/// A test of a variant, as the judge noted it.
struct TestResult {
    std::string name;
    std::string outcome;  ///< a verdict, or "skipped"
    std::string reason;
    std::string picture;  ///< a file of the difference, or ""
    bool hidden = false;
    double ms = 0;
    int checked = 0;   ///< configurations
    int left_out = 0;  ///< of emulated kernels a part is checked, always the same

    bool passed() const { return outcome == "right" || outcome == "skipped"; }
};

/// A variant with its verdict.
struct GradedVariant {
    std::string name;
    std::string file;
    std::string verdict;
    std::string reason;
    std::string gpu{};  ///< how kernels ran: "shared allocations", "copies" or "emulated"
    std::vector<TestResult> tests{};
    /// As the judge wrote them; the last is to the lab's usual reference.
    std::vector<nlohmann::json> speeds{};
    std::string not_checked{};  ///< "races: not checked: REASON", or ""
    std::string text{};         ///< the fingerprint of the text that was compiled
    std::string not_counted{};  ///< why its counters are no evidence, or ""
    nlohmann::json counters = nlohmann::json::array();  ///< as the judge wrote them

    /// The ratio that points go by, or the usual one if none are given for speed.
    nlohmann::json speedup() const {
        const bool timed = !speeds.empty() && speeds.front().contains("speedup");
        return timed ? speeds.front()["speedup"] : nlohmann::json(nullptr);
    }
};

/// Takes over what the judge wrote, and concludes the verdict: that of the first test that was not
/// passed, or of a measurement.
void conclude(GradedVariant& variant, const nlohmann::json& judged);

/// A line of the grade: a test, a speed, or a variant without points.
struct Item {
    std::string name;
    std::string task{};  ///< what a person reads
    std::string task_id{};
    double points = 0;
    double most = 0;
    bool passed = false;
    bool by_hand = false;  ///< a person gives these points
    bool hidden = false;
    std::string text{};
    bool is_missing = false;  ///< no file was handed in
};

/// The items of points.json, or, where there is no such file, one item per test without
/// points.
std::vector<Item> items_of(const std::vector<GradedVariant>& variants, const nlohmann::json& lab,
                           const Answers& answers);

/// See harness/speed_points.hpp.
double speed_points(double speedup, double floor, double full, double points);

}  // namespace grading
