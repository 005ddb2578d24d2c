#include "check/output.hpp"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "check/tested.hpp"
#include "common/file.hpp"
#include "sandbox/process.hpp"

namespace grading {
namespace {

using nlohmann::json;

constexpr std::size_t most_bytes = 1'000'000;  // of a file

constexpr const char* file_names[] = {"results.json", "feedback.html", "junit.xml"};

/// All texts that a student may have had a part in, in characters that every reader of the files
/// takes, and not too long.
Grade with_short_texts(Grade grade, std::size_t most) {
    const auto shorten = [most](std::string& text) {
        std::string kept = printable(text, most);
        text = text.size() > most ? kept + " ..." : kept;
    };
    for (Item& item : grade.items) shorten(item.text);
    for (GradedVariant& variant : grade.variants) {
        shorten(variant.reason);
        for (TestResult& test : variant.tests) shorten(test.reason);
    }
    return grade;
}

std::string full_name(const Item& item) {
    return item.task.empty() ? item.name : item.task + ": " + item.name;
}

json test_of(const Item& item) {
    json test{{"name", full_name(item)},
              {"status", item.passed ? "passed" : "failed"},
              {"output", item.hidden ? "" : item.text},
              {"visibility", "visible"}};
    if (item.most > 0) {
        test["score"] = item.points;
        test["max_score"] = item.most;
    }
    if (!item.task_id.empty()) test["extra_data"] = {{"task", item.task_id}};
    if (item.by_hand) {
        test.erase("status");
        test["output"] = "graded by a person. " + item.text;
    }
    return test;
}

json variant_of(const GradedVariant& variant) {
    json tests = json::array();
    for (const TestResult& test : variant.tests) {
        tests.push_back({{"name", test.name},
                         {"outcome", test.outcome},
                         {"reason", test.reason},
                         {"hidden", test.hidden},
                         {"checked", test.checked},
                         {"of", test.checked + test.left_out},
                         {"ms", test.ms}});
    }
    return {{"name", variant.name},         {"file", variant.file},
            {"verdict", variant.verdict},   {"reason", variant.reason},
            {"speedup", variant.speedup()}, {"gpu", variant.gpu},
            {"text", variant.text},         {"tests", tests},
            {"speeds", variant.speeds},     {"counters", variant.counters}};
}

}  // namespace

std::string said_of(const OtherFile& other) {
    return other.file.empty() ? other.reason : other.file + " " + other.reason;
}

json results_of(const Grade& grade) {
    double score = 0;
    json tests = json::array();
    json variants = json::array();
    for (const Item& item : grade.items) {
        score += item.points;
        tests.push_back(test_of(item));
    }
    for (const GradedVariant& variant : grade.variants) variants.push_back(variant_of(variant));
    json extra = grade.facts;
    extra["lab"] = grade.lab;
    extra["variants"] = variants;
    extra["not_graded"] = json::array();
    std::string output;
    if (grade.variants.empty()) {
        output = "no variant file was found: [NN_](omp|cuda)_NAME.(cpp|cu)\n";
    }
    for (const OtherFile& other : grade.others) {
        extra["not_graded"].push_back(said_of(other));
        output += "not graded: " + said_of(other) + "\n";
    }
    return {{"score", score},
            {"output", output},
            {"visibility", "visible"},
            {"tests", tests},
            {"extra_data", extra}};
}

std::string junit_of(const Grade& grade) {
    pugi::xml_document document;
    pugi::xml_node suites = document.append_child("testsuites");
    for (const GradedVariant& variant : grade.variants) {
        pugi::xml_node suite = suites.append_child("testsuite");
        int failures = 0;
        const auto add = [&](const std::string& name, bool passed, bool skipped,
                             const std::string& reason, double ms) {
            pugi::xml_node test = suite.append_child("testcase");
            test.append_attribute("name") = name.c_str();
            test.append_attribute("classname") = variant.name.c_str();
            test.append_attribute("time") = fmt::format("{:.3f}", ms / 1e3).c_str();
            if (skipped) test.append_child("skipped").append_attribute("message") = reason.c_str();
            if (passed || skipped) return;
            ++failures;
            test.append_child("failure").append_attribute("message") = reason.c_str();
        };
        for (const TestResult& test : variant.tests) {
            add(test.name, test.passed(), test.outcome == "skipped", test.reason, test.ms);
        }
        add("verdict", variant.verdict == "right", variant.verdict == "not done yet",
            variant.verdict + ": " + variant.reason, 0);
        suite.append_attribute("name") = (grade.lab + "." + variant.name).c_str();
        suite.append_attribute("tests") = static_cast<unsigned>(variant.tests.size() + 1);
        suite.append_attribute("failures") = failures;
    }
    std::ostringstream text;
    document.save(text, "  ");
    return text.str();
}

void remove_output(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (const char* name : file_names) std::filesystem::remove(folder / name);
    remove_tested(folder);
}

void write_output(const Grade& grade, const std::filesystem::path& folder) {
    const auto write = [&](const char* name, const auto& content_of) {
        // Texts of students are cut shorter until the file is small enough.
        std::string content;
        for (std::size_t most = 16 << 10; most > 1; most /= 2) {
            content = content_of(with_short_texts(grade, most));
            if (content.size() < most_bytes) break;
        }
        common::write_file(folder / name, [&](std::ostream& file) { file << content; });
    };
    write("junit.xml", junit_of);
    write("feedback.html", feedback_of);
    write("results.json", [](const Grade& shortened) {
        return results_of(shortened).dump(1, ' ', false, json::error_handler_t::replace);
    });
}

}  // namespace grading
