#include "one_variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "common/error.hpp"
#include "words.hpp"

namespace harness::summary {

using namespace common;
namespace {

namespace fs = std::filesystem;

const VariantReport& named(const LabReport& lab, const std::string& name) {
    for (const VariantReport& variant : lab.variants) {
        if (variant.name == name) return variant;
    }
    throw BadUsage(fmt::format("{} has no variant '{}'", lab.name, name));
}

/// The last variant before `variant` that can run here, of the same backend; "" if there is none.
std::string rung_before(const LabReport& lab, const VariantReport& variant) {
    std::string before;
    for (const VariantReport& other : lab.variants) {
        if (other.name == variant.name) break;
        if (other.backend == variant.backend && other.outcome != Outcome::skipped)
            before = other.name;
    }
    return variant.backend == "peer" ? "" : before;
}

/// The rules for the speed of a variant; an empty experiment if there are none.
SpeedRule speed_rule_of(const fs::path& rules, const std::string& variant) {
    return fs::exists(rules) ? speed_rule(rules, variant) : SpeedRule{};
}

std::string first_failed_test(const LabReport& lab) {
    for (const TestCase& test : lab.tests) {
        if (!is_failure(test.outcome)) continue;
        return fmt::format("in the test {}:\n  {}\n", test.name, test.message);
    }
    return "";
}

/// "8 % ahead of omp_rows", "3.1 times as fast as omp_rows", ...
std::string beside(double ratio, const std::string& other) {
    if (ratio >= 2) return fmt::format("{:.1f} times as fast as {}", ratio, other);
    const double percent = 100 * std::abs(ratio - 1);
    if (percent < 1) return "as fast as " + other;
    return fmt::format("{:.0f} % {} {}", percent, ratio > 1 ? "ahead of" : "behind", other);
}

/// The comparison of the times: "3.2x seq, 41 % of copy, 8 % ahead of omp_rows".
std::string comparison(const LabReport& lab, const VariantReport& variant) {
    const Timing& timing = *variant.timing;
    if (!timing.noise.empty() && !timing.speedup) return timing.noise;
    std::vector<std::string> parts;
    if (timing.speedup && variant.backend != "seq")
        parts.push_back(fmt::format("{:.1f}x {}", *timing.speedup, lab.timings.baseline));
    if (timing.percent_of_copy)
        parts.push_back(fmt::format("{:.2g} % of copy", *timing.percent_of_copy));
    const std::string before = rung_before(lab, variant);
    const auto other = lab.timings.fastest.find(before);
    if (other != lab.timings.fastest.end() && other->second.elsewhere == timing.elsewhere) {
        const std::string noise = why_too_noisy(other->second, before + "'s");
        parts.push_back(noise.empty() ? beside(other->second.kernel_ms / timing.kernel_ms, before)
                                      : noise);
    }
    if (!timing.noise.empty()) parts.push_back(timing.noise);
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string speed(const LabReport& lab, const VariantReport& variant) {
    if (!variant.timing) return lab.bench.empty() ? "not measured" : "not measured: " + lab.bench;
    const std::string& where = variant.timing->elsewhere;
    const Timing& timing = *variant.timing;
    const std::string spread =
        timing.spread ? fmt::format(" ± {:.0f} %", 100 * *timing.spread) : "";
    return fmt::format("{}\n  {} ms{}: {}", comparison(lab, variant),
                       milliseconds(timing.kernel_ms), spread,
                       where.empty() ? lab.timings.caption : where);
}

/// The lines of `run --explain` from the first kernel on, as many as a screen has room for.
std::string explained(const LabReport& lab, const Plan& plan) {
    constexpr int most_lines = 30;
    std::string text;
    for (const CounterRun& run : plan.explanations) {
        const fs::path path = lab.folder / "counters" / run.file;
        std::ifstream in(path);
        int lines = 0;
        for (std::string line; std::getline(in, line) && lines < most_lines;) {
            if (lines == 0 && !line.starts_with("kernel ")) continue;
            text += line + "\n";
            ++lines;
        }
        if (lines == most_lines) text += fmt::format("... all of it is in {}\n", path.string());
        break;  // a screen has no room for another
    }
    return text;
}

/// "points: 6 of 9; next: ..." by the rules for the variant, if there are any.
std::string points(const LabReport& lab, const std::string& variant, const fs::path& rules) {
    if (!fs::exists(rules)) return "";
    for (const TaskScore& task : score_lab(lab, {.rules = rules}).tasks) {
        if (task.variant != variant || task.of() == 0) continue;
        const std::string next = task.next();
        return fmt::format("points: {:g} of {:g}{}{}\n", task.points(), task.of(),
                           next.empty() ? "" : "; next: ", next);
    }
    return "";
}

}  // namespace

Plan plan_for(const LabReport& lab, const std::string& name, const fs::path& rules) {
    const VariantReport& variant = named(lab, name);
    if (variant.outcome != Outcome::ok) return {};
    Plan plan;
    if (variant.emulated) {
        if (fs::exists(rules)) {
            plan.explanations = counter_runs(rules);
            std::erase_if(plan.explanations,
                          [&](const CounterRun& run) { return run.variant != name; });
        }
        if (plan.explanations.empty())
            plan.explanations = {{"explain.txt", name, "scene:landscape:320x180", ""}};
        return plan;
    }
    const SpeedRule rule = speed_rule_of(rules, name);
    plan.experiment = rule.experiment.empty() ? "ladder" : rule.experiment;
    plan.variants = {name};
    for (const std::string& other : {rung_before(lab, variant), rule.against}) {
        if (!other.empty()) plan.variants.push_back(other);
    }
    return plan;
}

VariantVerdict verdict_on(const LabReport& lab, const std::string& name, const fs::path& rules) {
    const VariantReport& variant = named(lab, name);
    const std::string outcome(to_string(variant.outcome));
    VariantVerdict verdict{"", variant.outcome};
    if (variant.outcome == Outcome::ok && variant.emulated) {
        verdict.text =
            fmt::format("{}: right: {}\n{}{}", name, result_of(variant),
                        explained(lab, plan_for(lab, name, rules)), points(lab, name, rules));
    } else if (variant.outcome == Outcome::ok) {
        verdict.text =
            fmt::format("{}: right: {}\n{}", name, speed(lab, variant), points(lab, name, rules));
    } else if (const std::string failed = first_failed_test(lab); !failed.empty()) {
        verdict.text = fmt::format("{}: {}, {}", name, outcome, failed);
    } else {
        verdict.text = fmt::format("{}: {}{}{}\n", name, outcome,
                                   variant.message.empty() ? "" : ": ", variant.message);
    }
    return verdict;
}

}  // namespace harness::summary
