// Counts the accesses of emulated kernels in a worker of its own. The input is secret and the
// output is compared, as in a test.

#include <fmt/format.h>

#include <sstream>

#include "common/error.hpp"
#include "harness/source.hpp"
#include "judge/counts.hpp"
#include "judge/judge.hpp"
#include "judge/timing.hpp"

namespace grading {
namespace {

using nlohmann::json;

/// Translates a rule's input and options, which are those of `run --explain`, for `timed_case`.
json inputs_of_rule(const json& rule) {
    const harness::ImageSource source = harness::parse_source(rule.at("input").get<std::string>());
    json where{{"scene", source.scene},
               {"width", source.width},
               {"height", source.height},
               {"filter", "sharpen"}};  // the one of `run`
    std::istringstream options(rule.value("options", ""));
    for (std::string name, value; options >> name;) {
        if (!name.starts_with("--") || !(options >> value)) {
            throw common::BadUsage(fmt::format("options of a counter: '{}' is unknown", name));
        }
        where[name.substr(2)] = value;
    }
    return {{"where", where}};
}

}  // namespace

json count(const Sandbox& sandbox, const Task& task, const json& rule, Secret secret) {
    json result{{"rule", rule}, {"reason", ""}};
    try {
        TimedCase timed = timed_case(inputs_of_rule(rule), 1, secret);
        const auto deadline = Clock::now() + duration_of(task.test_seconds);
        WorkerProcess worker(sandbox, task.variant, 0, deadline);
        timed.out.setTo(0xA5);
        Counts counts;
        worker.call(whole(timed.in), whole(timed.out), timed.options, deadline, &counts);
        const harness::Verdict verdict = timed.check(timed.out, {});
        if (!verdict.ok()) throw WorkerFailed(Outcome::wrong, verdict.text());
        const std::string kernel = rule.value("kernel", "");
        result["reason"] = why_implausible(counts, kernel, timed.in.total() * timed.in.elemSize(),
                                           timed.out.total() * timed.out.elemSize());
        result["most_stored"] = most_stored(counts);
        result["value"] = counter_value(counts, rule.at("counter"), kernel);
    } catch (const WorkerFailed& failed) {
        result["reason"] = to_string(failed.outcome) + ": " + failed.what();
    }
    return result;
}

}  // namespace grading
