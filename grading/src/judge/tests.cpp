// Runs the lab's tests of one variant in this process, and notes what became of each.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

#include "harness/testing.hpp"
#include "judge/judge.hpp"

namespace grading {
namespace {

using nlohmann::json;

/// Messages for a student: without the judge's own files and commands.
std::string for_student(const std::string& message) {
    std::string text;
    std::istringstream lines(message);
    for (std::string line; std::getline(lines, line);) {
        const auto image = line.find("; difference image: ");
        if (image != std::string::npos) line.resize(image);
        if (line.starts_with("LABS_RANDOM_CASE="))
            line.resize(line.rfind('\'', line.find(' ')) + 1);
        if (line.starts_with("Failed")) continue;
        text += (text.empty() ? "" : "\n") + line;
    }
    return printable(text, 4000);
}

/// True if the test is in the folder of --hidden.
bool is_hidden(const testing::TestInfo& test) {
    const std::string_view folder = hidden_folder();
    return !folder.empty() && std::string_view(test.file()).starts_with(folder);
}

/// The value that the test has recorded, or "". Messages have text of the variant, which may name
/// any file.
std::string property_of(const testing::TestResult& result, std::string_view name) {
    for (int i = 0; i < result.test_property_count(); ++i) {
        const testing::TestProperty& property = result.GetTestProperty(i);
        if (property.key() == name) return property.value();
    }
    return "";
}

class Listener : public testing::EmptyTestEventListener {
  public:
    json results() const { return results_; }

  private:
    json results_ = json::array();
    std::string message_;

    void OnTestStart(const testing::TestInfo&) override {
        message_.clear();
        judged()->begin_test();
    }
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed() && message_.empty()) message_ = result.message();
    }
    void OnTestEnd(const testing::TestInfo& test) override {
        const testing::TestResult& result = *test.result();
        Outcome outcome = judged()->outcome();
        std::string reason = judged()->reason();
        if (result.Failed() && outcome == Outcome::right) outcome = Outcome::wrong;
        if (outcome == Outcome::wrong || reason.empty()) reason = for_student(message_);
        const auto number = [&](const char* of) {
            return std::atoi(property_of(result, of).c_str());
        };
        const int checked = number("checked");
        const int refused = number("refused");
        const int left_out = number("left_out");
        const bool mostly_refused = refused > checked + left_out;  // as in driver/run/outcomes.py
        const bool skipped = (result.Skipped() || mostly_refused) && outcome == Outcome::right;
        if (skipped && mostly_refused) {
            reason = printable(fmt::format("refused {} of {} configurations (first: {})", refused,
                                           refused + checked, property_of(result, "first_reason")),
                               4000);
        }
        const std::string name = test.name();
        results_.push_back({{"name", name.substr(0, name.find('/'))},
                            {"outcome", skipped ? "skipped" : to_string(outcome)},
                            {"reason", reason},
                            {"picture", property_of(result, harness::difference_image)},
                            {"hidden", is_hidden(test)},
                            {"checked", checked},
                            {"left_out", left_out},
                            {"ms", result.elapsed_time()}});
    }
};

json run_tests(const Task& task) {
    const std::string filter =
        "--gtest_filter=" + (task.only_test.empty() ? "*" : "*." + task.only_test) + "/" +
        task.variant.name;
    std::string program = "judge";
    std::string words = filter;
    char* arguments[] = {program.data(), words.data(), nullptr};
    int count = 2;
    testing::InitGoogleTest(&count, arguments);
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    auto* listener = new Listener;  // NOLINT: GoogleTest owns it
    listeners.Append(listener);
    [[maybe_unused]] const int failed = RUN_ALL_TESTS();
    return listener->results();
}

}  // namespace

nlohmann::json judge(Sandbox sandbox, const Task& task) {
    Judged variant(sandbox, task);
    judged() = &variant;
    register_proxy(task.variant.name, task.variant.on_device);
    // The random tests have cases that no student can know.
    setenv("LABS_RANDOM_SEED", std::to_string(task.class_seed).c_str(), 1);
    if (std::getenv("LABS_RANDOM_CASES") == nullptr) setenv("LABS_RANDOM_LARGE", "4", 1);
    json result{{"tests", task.tests ? run_tests(task) : json::array()},
                {"speeds", json::array()},
                {"counters", json::array()}};
    bool right = true;
    bool begun = !task.tests;
    for (const json& test : result["tests"]) {
        begun |= test["outcome"] == "right";
        right &= test["outcome"] == "right" || test["outcome"] == "skipped";
    }
    const Secret secret = task.seed.derived("speeds of " + task.variant.name);
    for (std::size_t i = 0; right && i < task.speeds.size(); ++i) {
        result["speeds"].push_back(
            measure(sandbox, task, task.speeds[i], secret.derived("speed", i)));
    }
    if (begun && !task.variant.gpu) {
        json rules = task.counters;
        // The rules of a task for its kernel decide about the tests that were passed.
        std::erase_if(rules.get_ref<json::array_t&>(),
                      [&](const json& rule) { return !right && rule.contains("points"); });
        result["counters"] = count_all(sandbox, task, rules, task.seed);
    }
    if (task.variant.on_device) result["gpu"] = variant.kernels();
    for (const json& speed : result["speeds"]) {
        if (speed.contains("gpu")) result["gpu"] = speed["gpu"];
    }
    return result;
}

}  // namespace grading
