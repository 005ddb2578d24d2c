#include "check/graded.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/speed_points.hpp"

#include "check/answers.hpp"

namespace grading {
namespace {

constexpr double most_bytes_per_thread = 4096;  ///< that a kernel stores, unless a rule says so

using harness::least_gain;
using nlohmann::json;

const GradedVariant* find(const std::vector<GradedVariant>& variants, const std::string& name) {
    const auto found = std::find_if(variants.begin(), variants.end(),
                                    [&](const GradedVariant& v) { return v.name == name; });
    return found == variants.end() ? nullptr : &*found;
}

/// A skipped test that the variant refused, or has not begun, deserves nothing.
Item test_item(const GradedVariant* variant, const json& wanted) {
    Item item{.name = wanted.at("name"), .most = wanted.value("points", 0.0)};
    item.hidden = !wanted.value("visible", true);
    item.is_missing = variant == nullptr;
    if (item.is_missing) {
        item.text = "not handed in";
        return item;
    }
    const auto test =
        std::find_if(variant->tests.begin(), variant->tests.end(),
                     [&](const TestResult& result) { return result.name == item.name; });
    if (test == variant->tests.end()) {
        item.text = variant->verdict + (variant->reason.empty() ? "" : ": " + variant->reason);
        return item;
    }
    item.passed = test->outcome == "right";
    item.hidden |= test->hidden;
    if (item.passed && variant->gpu == "emulated" && !variant->not_checked.empty()) {
        item.passed = false;
        item.by_hand = true;
        item.text = variant->not_checked;
    }
    if (item.passed || item.by_hand) return item;
    item.text = test->outcome + (test->reason == test->outcome ? "" : ": " + test->reason);
    return item;
}

Item speed_item(const GradedVariant* variant, const json& wanted) {
    Item item{.name = "speed", .most = wanted.value("points", 0.0)};
    if (variant != nullptr && (variant->gpu == "emulated" || variant->gpu == "copies")) {
        item.by_hand = true;
        item.text = variant->gpu == "emulated"
                        ? "no GPU: kernels were emulated and not timed"
                        : "GPU memory could not be shared: times include copies over the bus";
        return item;
    }
    if (variant == nullptr || variant->verdict != "right") {
        item.text = "only a variant that is right is timed";
        return item;
    }
    if (!variant->not_checked.empty()) {
        item.by_hand = true;
        item.text = variant->not_checked;
        return item;
    }
    for (const json& speed : variant->speeds) {
        if (speed.value("against", "") != wanted.value("against", "") ||
            speed.value("where", json()) != wanted.value("where", json::object())) {
            continue;
        }
        const double ratio = speed.at("speedup");
        const double floor = wanted.at("floor");
        const double full = wanted.at("full");
        const double gain = speed.value("gain", least_gain);  // none: the task is not for threads
        item.points = gain < least_gain ? 0 : speed_points(ratio, floor, full, item.most);
        item.passed = item.points >= item.most;
        item.text =
            fmt::format("{:.2f} times as fast as {} ({} from {} on, all points from {} on)", ratio,
                        speed.at("against").get<std::string>(), "points", floor, full);
        if (gain < least_gain) {
            item.text += fmt::format(
                "; but only {:.2f} times as fast as with one thread, which gives no points", gain);
        }
    }
    return item;
}

/// Counters take the place of the speed of a variant whose kernels were emulated.
bool is_counted(const GradedVariant* variant, const json& task) {
    return variant != nullptr && variant->gpu == "emulated" && task.contains("counters");
}

/// The judge's value for a rule, or null.
json counted_for(const GradedVariant& variant, const json& rule) {
    const auto found = std::ranges::find_if(
        variant.counters, [&](const json& counted) { return counted.at("rule") == rule; });
    return found == variant.counters.end() ? json() : *found;
}

/// "random:8x8 --block 32x4"
std::string input_of(const json& rule) {
    return rule.at("input").get<std::string>() + (rule.contains("options") ? " " : "") +
           rule.value("options", "");
}

/// Why the tests of a task give no points, or a person gives them: the algorithm is not the task's.
struct Doubt {
    std::string text{};
    bool by_hand = false;
};

Doubt doubt_of(const GradedVariant& variant, const json& rule) {
    const std::string counter = rule.at("counter");
    if (!variant.not_counted.empty()) return {"not counted: " + variant.not_counted, true};
    const json counted = counted_for(variant, rule);
    if (counted.is_null()) return {counter + ": not counted", true};
    const std::string reason = counted.at("reason");
    if (!counted.contains("value")) return {counter + ": " + reason};
    const double value = counted.at("value");
    const bool least = rule.contains("at_least");
    const double limit = rule.at(least ? "at_least" : "at_most");
    if (least ? value < limit : value > limit) {
        return {fmt::format("not the algorithm of the task: {} {:g} for {}, at {} {:g}", counter,
                            value, input_of(rule), least ? "least" : "most", limit)};
    }
    if (reason.empty()) return {};
    return {counter + ": implausible: " + reason, true};
}

/// Decides by the speed, from `tests_from` on, whether tests give points.
Doubt doubt_of_speed(const GradedVariant& variant, const json& wanted) {
    const std::string against = wanted.at("against");
    const double least = wanted.at("tests_from");
    const std::string needs = fmt::format("needs {:g} times the speed of {}", least, against);
    if (variant.verdict != "right") return {needs + "; a variant that is wrong is not timed", true};
    for (const json& speed : variant.speeds) {
        if (speed.value("against", "") != against) continue;
        const double ratio = speed.at("speedup");
        if (ratio >= least) return {};
        return {
            fmt::format("{}, and has {:.2f} times: not the algorithm of the task", needs, ratio)};
    }
    return {needs + ", which is not measured here", true};
}

/// On a GPU nothing is counted. There, the speed shows the algorithm, or, where none is wanted, a
/// person looks.
Doubt doubt_of_task(const GradedVariant& variant, const json& task) {
    if (task.contains("speed") && task["speed"].contains("tests_from")) {
        return doubt_of_speed(variant, task["speed"]);
    }
    if (!task.contains("requires")) return {};
    if (variant.gpu != "emulated") {
        if (task.contains("speed")) return {};
        return {"on a GPU nothing is counted: is it the algorithm of the task?", true};
    }
    for (const json& rule : task["requires"]) {
        if (Doubt doubt = doubt_of(variant, rule); !doubt.text.empty()) return doubt;
    }
    return {};
}

Item counter_item(const GradedVariant& variant, const json& rule) {
    const std::string counter = rule.at("counter");
    const std::string kernel = rule.value("kernel", "");
    Item item{.name = kernel.empty() ? counter : fmt::format("{} of {}", counter, kernel),
              .most = rule.value("points", 0.0)};
    const json counted = counted_for(variant, rule);
    if (counted.is_null()) {
        item.by_hand = variant.verdict == "right" && !variant.not_counted.empty();
        item.text = item.by_hand ? "not counted: " + variant.not_counted
                                 : "only a variant that is right is counted";
        return item;
    }
    const std::string reason = counted.at("reason");
    if (!counted.contains("value")) {
        item.text = reason;
        return item;
    }
    const double value = counted.at("value");
    const double limit = rule.at("at_most");
    item.text = fmt::format("{:g} for {}, at most {:g}", value, input_of(rule), limit);
    if (value > limit) return item;
    const double most_stored = counted.value("most_stored", 0.0);
    const double share = rule.value("bytes_per_thread", most_bytes_per_thread);
    if (most_stored > share) {
        item.text += fmt::format(
            "; but one thread stores {:g} bytes, at most {:g}: more threads "
            "have to share the work",
            most_stored, share);
        return item;
    }
    item.by_hand = !reason.empty();
    item.passed = reason.empty();
    if (item.by_hand) item.text += "; implausible: " + reason;
    item.points = item.passed ? item.most : 0;
    return item;
}

/// MPI starts processes, which the sandbox forbids.
Item ranks_item(const json& task) {
    double most = task.value("by_hand", 0.0);
    for (const json& test : task.value("tests", json::array())) most += test.value("points", 0.0);
    return {
        .name = "ranks",
        .by_hand = true,
        .text = fmt::format("up to {:g} points beyond the others; it runs in several processes, "
                            "which the sandbox forbids: see './run_all.sh --points'",
                            most)};
}

void add_task(std::vector<Item>& items, const std::vector<GradedVariant>& variants,
              const Answers& answers, const json& task) {
    const GradedVariant* variant = find(variants, task.value("variant", ""));
    const std::string title =
        fmt::format("{} {}", task.value("id", "?"), task.value("variant", task.value("title", "")));
    const auto add = [&](Item item) {
        item.task = title;
        item.task_id = task.value("id", "");
        items.push_back(std::move(item));
    };
    if (task.value("variant", "").starts_with("mpi_")) return add(ranks_item(task));
    const Doubt doubt = variant == nullptr ? Doubt{} : doubt_of_task(*variant, task);
    for (const json& test : task.value("tests", json::array())) {
        Item item = test_item(variant, test);
        if (item.passed && !doubt.text.empty()) {
            item.passed = false;
            item.by_hand = doubt.by_hand;
            item.text = doubt.text;
        }
        item.points = item.passed ? item.most : 0;
        add(item);
    }
    if (is_counted(variant, task)) {
        for (const json& rule : task["counters"]) add(counter_item(*variant, rule));
    } else if (task.contains("speed")) {
        add(speed_item(variant, task["speed"]));
    }
    for (const json& answer : task.value("answers", json::array())) {
        add(answer_item(answers, answer));
    }
    if (task.contains("by_hand")) {
        add({.name = "explanation", .most = task["by_hand"], .by_hand = true});
    }
}

}  // namespace

double speed_points(double speedup, double floor, double full, double points) {
    return harness::speed_points(speedup, floor, full, points);
}

void conclude(GradedVariant& variant, const json& judged) {
    bool any = false;
    std::string refusal;
    variant.gpu = judged.value("gpu", "");
    variant.counters = judged.value("counters", json::array());
    variant.verdict = "right";
    const auto blame = [&](const std::string& outcome, const std::string& reason) {
        if (variant.verdict != "right") return;
        variant.verdict = outcome;
        variant.reason = reason;
    };
    for (const json& test : judged.at("tests")) {
        variant.tests.push_back({test.at("name"), test.at("outcome"), test.at("reason"),
                                 test.at("picture"), test.at("hidden"), test.at("ms"),
                                 test.value("checked", 0), test.value("left_out", 0)});
        TestResult& result = variant.tests.back();
        if (result.hidden) result.reason = "a hidden test";
        any |= result.outcome == "right";
        if (result.outcome == "skipped" && refusal.empty()) refusal = result.reason;
        if (result.outcome == "skipped" && result.reason.starts_with("not checked: ")) {
            variant.not_checked = result.name + ": " + result.reason;
        }
        if (!result.passed()) blame(result.outcome, result.name + ": " + result.reason);
    }
    if (!any && (!variant.tests.empty() || judged.at("speeds").empty()))
        blame("refused", refusal.empty() ? "no test accepted it" : refusal);
    for (const json& speed : judged.at("speeds")) {
        variant.speeds.push_back(speed);
        if (speed.at("outcome") != "right") blame(speed.at("outcome"), speed.at("reason"));
    }
}

std::vector<Item> items_of(const std::vector<GradedVariant>& variants, const json& lab,
                           const Answers& answers) {
    std::vector<Item> items;
    if (lab.is_object()) {
        for (const json& task : lab.at("tasks")) add_task(items, variants, answers, task);
    }
    for (const GradedVariant& variant : variants) {
        const bool has_task = std::any_of(items.begin(), items.end(), [&](const Item& item) {
            return item.task.ends_with(" " + variant.name);
        });
        if (has_task) continue;
        const std::string reason = variant.reason.empty() ? "" : ": " + variant.reason;
        items.push_back({.name = variant.name,
                         .passed = variant.verdict == "right",
                         .text = variant.verdict + reason});
    }
    return items;
}

}  // namespace grading
