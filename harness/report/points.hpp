#pragma once

// A student's points, by the rules in grading/labN.json, from what run_all.sh left:
//
//     lab folder of the output   see report.hpp, and counters/N.txt: the output of `run --explain`
//     answers.txt                lines of "name = value"
//     answers.txt of the key     lines of "name = value" or "name = low..high"; students have none

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report.hpp"

namespace harness::summary {

/// One thing that gives points.
struct Score {
    std::string what;  ///< "test sizes"
    double points = 0;
    double of = 0;
    std::string missing{};    ///< why these are not all; empty if they are
    bool by_teacher = false;  ///< graded by hand, or against a key that is not here
    bool noisy = false;       ///< the times were too noisy to give points
};

struct TaskScore {
    std::string id;
    std::string title;
    std::string variant{};  ///< empty if the task has none
    std::vector<Score> scores{};

    double points() const;
    double of() const;          ///< without what the teacher grades
    double by_teacher() const;  ///< what the teacher grades
    std::string next() const;   ///< what is missing for the next point; empty if nothing is
    bool noisy() const;         ///< a ratio of times was too noisy, and another run may give points
};

struct LabScore {
    std::string lab;
    std::vector<TaskScore> tasks;

    double points() const;
    double of() const;
    double by_teacher() const;
};

/// The files besides the lab's output folder.
struct PointsInput {
    std::filesystem::path rules;
    std::filesystem::path answers{};
    std::filesystem::path key{};
};

/// Throws BadUsage if the rules or the key are not as expected.
LabScore score_lab(const LabReport& lab, const PointsInput& input);

/// The rule for points by the speed of a variant; empty if it gives none.
struct SpeedRule {
    std::string experiment{};
    std::string against{};
};
SpeedRule speed_rule(const std::filesystem::path& rules, const std::string& variant);

/// A run of the lab's program whose counters give points.
struct CounterRun {
    std::string file;  ///< "0.txt", in the folder `counters`
    std::string variant;
    std::string input;
    std::string options;
};
std::vector<CounterRun> counter_runs(const std::filesystem::path& rules);

/// The counter `name` of all kernels in the output of `run --explain`, or of `kernel` if it is not
/// empty. Nothing if there is no such kernel. Throws BadUsage if there is no such counter.
std::optional<double> counter_in(const std::string& explanation, const std::string& name,
                                 const std::string& kernel = "");

std::string points_as_text(const LabScore& lab);
nlohmann::ordered_json points_as_json(const LabScore& lab);

}  // namespace harness::summary
