#include "points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "answers.hpp"
#include "common/error.hpp"
#include "harness/speed_points.hpp"
#include "points_sources.hpp"

namespace harness::summary {

using namespace common;
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_rules(const fs::path& path) {
    std::ifstream in(path);
    if (!in) throw BadUsage(fmt::format("cannot read '{}'", path.string()));
    try {
        return json::parse(in);
    } catch (const json::exception& error) {
        throw BadUsage(fmt::format("{}: {}", path.string(), error.what()));
    }
}

std::string read_text(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Empty if there is no such file.
std::map<std::string, std::string> read_values_of(const fs::path& path) {
    std::ifstream in(path);
    return read_values(in);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// "…ConvolutionTest.sizes/omp_rows" is the test `sizes` of `omp_rows`.
bool is_test(const TestCase& test, const std::string& name, const std::string& variant) {
    return test.name.ends_with("." + name + "/" + variant);
}

/// Why a test does not count, or "".
std::string trouble_of(const TestCase& test) {
    if (test.outcome != Outcome::ok) {
        const std::string outcome(to_string(test.outcome));
        return test.message.empty() || test.message == outcome ? outcome
                                                               : outcome + ": " + test.message;
    }
    const Configurations& given = test.configurations;
    if (given.refused <= given.checked + given.left_out) return "";
    return "refused " + given.text();
}

class Scorer {
  public:
    Scorer(const LabReport& lab, const PointsInput& input)
        : lab_(lab), answers_(read_values_of(input.answers)), key_(read_values_of(input.key)) {}

    TaskScore score(const json& task) {
        const std::string variant = task.value("variant", "");
        TaskScore result{task.at("id"), task.at("title"), variant};
        const auto found =
            std::find_if(lab_.variants.begin(), lab_.variants.end(),
                         [&](const auto& candidate) { return candidate.name == variant; });
        const VariantReport* report = found == lab_.variants.end() ? nullptr : &*found;
        for (const json& test : list(task, "tests")) {
            result.scores.push_back(score_test(test, variant, report));
        }
        const bool has_gpu = report == nullptr || !report->emulated;
        const bool counted = task.contains("counters") && (!has_gpu || !task.contains("speed"));
        for (const json& counter : list(task, "counters")) {
            const std::string file = fmt::format("{}.txt", counters_++);
            if (counted) result.scores.push_back(score_counter(counter, file, report));
        }
        if (task.contains("speed") && !counted) {
            result.scores.push_back(score_speed(task.at("speed"), variant, report));
        }
        for (const json& answer : list(task, "answers")) {
            result.scores.push_back(score_answer(answer));
        }
        if (task.contains("by_hand")) {
            result.scores.push_back(
                {.what = "explanation", .of = task.at("by_hand"), .by_teacher = true});
        }
        return result;
    }

    static json list(const json& task, const char* name) { return task.value(name, json::array()); }

  private:
    const LabReport& lab_;
    std::map<std::string, std::string> answers_;
    std::map<std::string, std::string> key_;
    int counters_ = 0;  // that came before, as in counter_runs()

    Score score_test(const json& rule, const std::string& variant,
                     const VariantReport* report) const {
        const std::string name = rule.at("name");
        Score score{
            .what = "test " + name, .of = rule.at("points"), .missing = "there is no such test"};
        if (report == nullptr) score.missing = "there is no variant " + variant;
        if (report != nullptr && !report->built) {
            score.missing = fmt::format("{}: {}", to_string(report->outcome), report->message);
            return score;
        }
        bool first = true;
        for (const TestCase& test : lab_.tests) {
            if (!is_test(test, name, variant)) continue;
            if (first || score.missing.empty()) score.missing = trouble_of(test);
            first = false;
        }
        if (score.missing.empty()) score.points = score.of;
        return score;
    }

    /// Why nothing beyond the tests counts, or "".
    static std::string not_right(const VariantReport* report) {
        if (report == nullptr) return "there is no such variant";
        if (report->outcome == Outcome::ok) return "";
        return fmt::format("{} is {}", report->name, to_string(report->outcome));
    }

    Score score_speed(const json& rule, const std::string& variant,
                      const VariantReport* report) const {
        const double floor = rule.at("floor");
        const double full = rule.at("full");
        const std::string against = rule.at("against");
        const std::string experiment = rule.at("experiment");
        if (!(floor < full)) throw BadUsage("'floor' has to be less than 'full'");
        Score score{.what = "speed", .of = rule.at("points"), .missing = not_right(report)};
        if (!score.missing.empty()) return score;
        if (report->emulated) {
            score.missing = "it is measured on a GPU only";
            return score;
        }
        if (lab_.bench.empty()) {  // the CSV file of an earlier run may be there
            score.missing = "not measured in this run";
            return score;
        }
        const Ratio ratio =
            speed_ratio(lab_.folder / "csv" / (experiment + ".csv"), variant, against,
                        rule.value("where", std::map<std::string, std::string>{}));
        score.missing = ratio.trouble;
        score.noisy = ratio.noisy;
        if (!ratio.value) return score;
        score.points = speed_points(*ratio.value, floor, full, score.of);
        if (score.points < score.of) {
            score.missing = fmt::format(
                "{:.2f} times as fast as {}; from {} on there are points, "
                "all from {} on",
                *ratio.value, against, floor, full);
        }
        return score;
    }

    Score score_counter(const json& rule, const std::string& file,
                        const VariantReport* report) const {
        const std::string name = rule.at("counter");
        const double most = rule.at("at_most");
        Score score{.what = name, .of = rule.at("points"), .missing = not_right(report)};
        if (!score.missing.empty()) return score;
        const std::string text = read_text(lab_.folder / "counters" / file);
        const auto value = counter_in(text, name, rule.value("kernel", ""));
        if (!value) {
            score.missing = text.empty() ? "not counted" : "not counted: " + first_line(text);
        } else if (*value <= most) {
            score.points = score.of;
        } else {
            score.missing = fmt::format("{:g}; at most {:g}", *value, most);
        }
        return score;
    }

    Score score_answer(const json& rule) const {
        const std::string name = rule.at("name");
        Score score{.what = "answer " + name, .of = rule.at("points")};
        const auto answer = answers_.find(name);
        if (answer == answers_.end() || answer->second.empty() || answer->second == "-") {
            score.missing = "there is no number in answers.txt";
            return score;
        }
        const auto right = key_.find(name);
        score.by_teacher = key_.empty();
        if (score.by_teacher) return score;
        if (right == key_.end()) throw BadUsage("the key has no value for '" + name + "'");
        if (is_right(answer->second, right->second)) {
            score.points = score.of;
        } else {
            score.missing = "not " + answer->second;
        }
        return score;
    }
};

double sum(const TaskScore& task, double Score::*member, bool by_teacher) {
    double total = 0;
    for (const Score& score : task.scores) {
        if (score.by_teacher == by_teacher) total += score.*member;
    }
    return total;
}

/// A sum over the tasks.
double sum(const LabScore& lab, double (TaskScore::*member)() const) {
    double total = 0;
    for (const TaskScore& task : lab.tasks) total += (task.*member)();
    return total;
}

}  // namespace

double TaskScore::points() const {
    return sum(*this, &Score::points, false);
}
double TaskScore::of() const {
    return sum(*this, &Score::of, false);
}
double TaskScore::by_teacher() const {
    return sum(*this, &Score::of, true);
}
std::string TaskScore::next() const {
    for (const Score& score : scores) {
        if (!score.by_teacher && score.points < score.of) return score.what + ": " + score.missing;
    }
    return "";
}

bool TaskScore::noisy() const {
    return std::any_of(scores.begin(), scores.end(),
                       [](const Score& score) { return score.noisy; });
}

double LabScore::points() const {
    return sum(*this, &TaskScore::points);
}
double LabScore::of() const {
    return sum(*this, &TaskScore::of);
}
double LabScore::by_teacher() const {
    return sum(*this, &TaskScore::by_teacher);
}

LabScore score_lab(const LabReport& lab, const PointsInput& input) {
    const json rules = read_rules(input.rules);
    try {
        LabScore result{rules.at("lab"), {}};
        Scorer scorer(lab, input);
        for (const json& task : rules.at("tasks")) result.tasks.push_back(scorer.score(task));
        return result;
    } catch (const json::exception& error) {
        throw BadUsage(fmt::format("{}: {}", input.rules.string(), error.what()));
    }
}

SpeedRule speed_rule(const fs::path& rules, const std::string& variant) {
    const json read = read_rules(rules);
    try {
        for (const json& task : read.at("tasks")) {
            if (task.value("variant", "") != variant || !task.contains("speed")) continue;
            return {task.at("speed").at("experiment"), task.at("speed").at("against")};
        }
    } catch (const json::exception& error) {
        throw BadUsage(fmt::format("{}: {}", rules.string(), error.what()));
    }
    return {};
}

std::vector<CounterRun> counter_runs(const fs::path& rules) {
    const json read = read_rules(rules);
    std::vector<CounterRun> runs;
    try {
        for (const json& task : read.at("tasks")) {
            for (const json& counter : Scorer::list(task, "counters")) {
                runs.push_back({fmt::format("{}.txt", runs.size()), task.at("variant"),
                                counter.at("input"), counter.value("options", "")});
            }
        }
    } catch (const json::exception& error) {
        throw BadUsage(fmt::format("{}: {}", rules.string(), error.what()));
    }
    return runs;
}

}  // namespace harness::summary
