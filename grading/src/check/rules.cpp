#include "check/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "check/wanted.hpp"
#include "common/error.hpp"
#include "judge/counts.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double all_points = 100;

/// The first thing in which `rules` differ from the schema, with its place; "" if there is none.
std::string mistake_of_form(const json& rules, const fs::path& schema_file) {
    std::ifstream stream(schema_file);
    if (!stream) throw common::Failed(schema_file.string() + ": cannot be read");
    const json form = json::parse(stream);
    valijson::Schema schema;
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(form), schema);
    valijson::ValidationResults mistakes;
    if (valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(rules),
                                       &mistakes)) {
        return "";
    }
    const auto& first = *mistakes.begin();
    std::string place;
    for (const std::string& step : first.context) {
        if (step != "<root>") place += step;
    }
    return fmt::format("{}{}{}", place, place.empty() ? "" : ": ", first.description);
}

std::string without_number(const fs::path& file) {
    static const std::regex number_of_file("^[0-9]+_");
    return std::regex_replace(file.stem().string(), number_of_file, "");
}

/// The names of the variants in the lab's folder, as CMake finds them.
std::set<std::string> variants_in(const fs::path& lab) {
    std::set<std::string> names;
    for (const char* part : {"ladder", "expert", "experiments", "libraries"}) {
        std::error_code none;
        for (const auto& entry : fs::recursive_directory_iterator(lab / part, none)) {
            const std::string name = without_number(entry.path());
            names.insert(std::string(part) == "libraries" ? "peer_" + name : name);
        }
    }
    return names;
}

/// The names of the tests in the .cpp files of a folder.
void add_tests(const fs::path& folder, std::set<std::string>& names) {
    static const std::regex test(R"(\bTEST_P\(\w+,\s*(\w+)\))");
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream file(entry.path());
        const std::string content((std::istreambuf_iterator<char>(file)), {});
        for (std::sregex_iterator found(content.begin(), content.end(), test), end; found != end;
             ++found) {
            names.insert((*found)[1]);
        }
    }
}

class Checker {
  public:
    Checker(fs::path file, fs::path source, const fs::path& hidden)
        : file_(std::move(file)), source_(std::move(source)), hidden_(hidden) {}

    json read() {
        std::ifstream stream(file_);
        if (!stream) fail("cannot be read");
        try {
            const json rules = json::parse(stream);
            check(rules);
            return rules;
        } catch (const json::exception& error) {
            fail(error.what());
        }
    }

  private:
    fs::path file_;
    fs::path source_;
    fs::path hidden_;
    fs::path lab_;
    std::string place_;  ///< in the file, for messages
    std::set<std::string> variants_;
    std::set<std::string> tests_;

    [[noreturn]] void fail(const std::string& what) const {
        throw common::BadUsage(
            fmt::format("{}: {}{}", file_.string(), place_.empty() ? "" : place_ + ": ", what));
    }

    void require(bool condition, const std::string& what) const {
        if (!condition) fail(what);
    }

    void check(const json& rules) {
        const std::string mistake = mistake_of_form(rules, source_ / "grading/rules.schema.json");
        require(mistake.empty(), mistake);
        lab_ = source_ / rules["lab"].get<std::string>();
        static const std::regex lab_name("^lab[0-9]+-[a-z0-9-]+$");
        const std::string name = rules["lab"];
        require(std::regex_match(name, lab_name) && fs::is_directory(lab_),
                fmt::format("there is no lab '{}'", name));
        variants_ = variants_in(lab_);
        add_tests(lab_ / "tests", tests_);
        if (!hidden_.empty()) add_tests(hidden_, tests_);

        const json simplest = rules.value("simplest", json::object());
        for (const json& variant : simplest) require_variant(variant);
        for (const json& rule : rules.value("compare", json::array())) {
            require_variant(rule["against"]);
        }

        double sum = 0;
        std::set<std::string> ids;
        for (const json& task : rules["tasks"]) {
            const double points = check_task(task);
            if (!task.value("bonus", false)) sum += points;
            require(ids.insert(task["id"]).second, "another task has this id");
        }
        place_.clear();
        require(std::abs(sum - all_points) < 1e-6,
                fmt::format("the points add up to {:g}, not to {:g}", sum, all_points));
    }

    /// Returns the points of the task.
    double check_task(const json& task) {
        place_ = "task " + task["id"].get<std::string>();
        if (task.contains("variant")) check_variant(task);
        for (const json& test : task.value("tests", json::array())) {
            const std::string name = test["name"];
            require(tests_.contains(name), fmt::format("there is no test '{}'", name));
        }
        for (const json& rule : counters_of(task.value("variant", ""), {{"tasks", {task}}})) {
            const std::string name = rule["counter"];
            require(is_counter(name), fmt::format("there is no counter '{}'", name));
        }
        const double tests = points_of(task, "tests");
        const double counters = points_of(task, "counters");
        const double answers = points_of(task, "answers");
        const double speed = task.contains("speed") ? check_speed(task["speed"]) : counters;
        require(
            !task.contains("counters") || counters == speed,
            fmt::format("the counters have {:g} points, not {:g} as the speed", counters, speed));
        const double points = tests + speed + answers + task.value("by_hand", 0.0);
        require(points > 0, "nothing in it gives points");
        return points;
    }

    /// The file is in the lab or, where students write it, in the starter.
    void check_variant(const json& task) const {
        const std::string name = task["variant"];
        const std::string file = task["file"];
        require(fs::is_regular_file(lab_ / file) ||
                    fs::is_regular_file(lab_ / "assignment/starter" / file),
                fmt::format("there is no file '{}'", file));
        require(without_number(file) == name,
                fmt::format("'{}' is not the file of a variant '{}'", file, name));
    }

    void require_variant(const std::string& name) const {
        require(variants_.contains(name), fmt::format("there is no variant '{}'", name));
    }

    double check_speed(const json& speed) const {
        require_variant(speed["against"]);
        require(speed["floor"] < speed["full"], "'floor' has to be less than 'full'");
        return speed["points"];
    }

    static double points_of(const json& task, const char* list) {
        double sum = 0;
        for (const json& element : task.value(list, json::array())) {
            sum += element["points"].get<double>();
        }
        return sum;
    }
};

}  // namespace

json read_rules(const fs::path& file, const fs::path& source, const fs::path& hidden) {
    return Checker(file, source, hidden).read();
}

}  // namespace grading
