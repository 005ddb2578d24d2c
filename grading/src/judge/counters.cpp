// Counts the accesses of emulated kernels in a worker of its own. The input is secret and the
// output is compared, as in a test.

#include <fmt/format.h>

#include <map>
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

/// A call that was counted. Several rules may be about it.
struct CountedCall {
    Counts counts{};
    std::size_t bytes_in = 0;
    std::size_t bytes_out = 0;
    std::string failure{};
};

CountedCall counted_call(const Sandbox& sandbox, const Task& task, const json& inputs,
                         Secret secret) {
    CountedCall call;
    try {
        TimedCase timed = timed_case(inputs, 1, secret);
        const auto deadline = Clock::now() + duration_of(task.test_seconds);
        WorkerProcess worker(sandbox, task.variant, 0, deadline);
        timed.out.setTo(0xA5);
        worker.call(whole(timed.in), whole(timed.out), timed.options, deadline, &call.counts);
        const harness::Verdict verdict = timed.check(timed.out, {});
        if (!verdict.ok()) throw WorkerFailed(Outcome::wrong, verdict.text());
        call.bytes_in = timed.in.total() * timed.in.elemSize();
        call.bytes_out = timed.out.total() * timed.out.elemSize();
    } catch (const WorkerFailed& failed) {
        call.failure = to_string(failed.outcome) + ": " + failed.what();
    }
    return call;
}

json result_of(const CountedCall& call, const json& rule) {
    json result{{"rule", rule}, {"reason", call.failure}};
    if (!call.failure.empty()) return result;
    const std::string kernel = rule.value("kernel", "");
    result["reason"] = why_implausible(call.counts, kernel, call.bytes_in, call.bytes_out);
    result["most_stored"] = most_stored(call.counts);
    result["value"] = counter_value(call.counts, rule.at("counter"), kernel);
    return result;
}

}  // namespace

json count_all(const Sandbox& sandbox, const Task& task, const json& rules, const Secret& secret) {
    std::map<std::string, CountedCall> calls;
    json results = json::array();
    for (const json& rule : rules) {
        const json inputs = inputs_of_rule(rule);
        const auto [call, is_new] = calls.try_emplace(inputs.dump());
        if (is_new) {
            call->second =
                counted_call(sandbox, task, inputs, secret.derived("counter", calls.size()));
        }
        results.push_back(result_of(call->second, rule));
    }
    return results;
}

}  // namespace grading
