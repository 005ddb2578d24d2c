// Why tests failed. CTest's JUnit file does not distinguish a crash, a timeout and a wrong result;
// the reason is at the end of CTest's output.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>
#include <regex>
#include <sstream>

#include "report.hpp"

namespace common::summary {
namespace {

/// Maps a test's name to CTest's result: "SEGFAULT", "Timeout", "Failed", "Not Run", ...
std::map<std::string, std::string> read_reasons(const std::filesystem::path& log) {
    // CMake 4 adds the test's labels at the end of the line.
    static const std::regex line_format(R"(^\s*\d+ - (.+?) \(([^()]*)\)(\s.*)?$)");
    std::map<std::string, std::string> reasons;
    std::ifstream in(log);
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
        if (std::regex_match(line, match, line_format)) reasons[match[1]] = match[2];
    }
    return reasons;
}

/// The rest of the first line that contains `mark`, with the mark if `with_mark`.
std::string line_with(const std::string& text, const std::string& mark, bool with_mark) {
    const std::size_t start = text.find(mark);
    if (start == std::string::npos) return "";
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::size_t from = with_mark ? start : start + mark.size();
    return text.substr(from, end - from);
}

/// The line that VariantTestBase::report() prints.
Configurations read_configurations(const std::string& output) {
    static const std::regex line_format(R"(^(\d+) checked, (\d+) refused(?: \(first: (.*)\))?$)");
    const std::string line = line_with(output, "configurations: ", false);
    std::smatch match;
    if (!std::regex_match(line, match, line_format)) return {};
    const std::string left_out = line_with(output, "too much to be emulated: ", false);
    return {std::stoi(match[1]), std::stoi(match[2]), std::atoi(left_out.c_str()), match[3]};
}

/// GoogleTest prints a line at the end of every test program. If CTest does not find it, and no
/// failure was reported, something ended the program.
bool ended_early(const TestCase& test, const std::string& junit_message) {
    return junit_message.starts_with("Required regular expression not found") &&
           test.output.find("[  FAILED  ]") == std::string::npos;
}

/// The first failure that GoogleTest reports, on one line.
std::string first_failure(const std::string& output) {
    const std::string mark = ": Failure\n";
    const std::size_t start = output.find(mark);
    if (start == std::string::npos) return "it ended with an exit code other than 0";
    std::istringstream lines(output.substr(start + mark.size()));
    std::string text;
    for (std::string line; std::getline(lines, line) && !line.empty() && line[0] != '[';) {
        text += (text.empty() ? "" : " ") +
                line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
    constexpr std::size_t most = 400;
    return text.size() > most ? text.substr(0, most) + " ..." : text;
}

/// The CUDA errors after which a process cannot use the GPU any more.
bool is_device_fault(const std::string& message) {
    static const std::regex fault(
        "CUDA: .*(misaligned address|illegal memory access|illegal instruction|device-side assert|"
        "unspecified launch failure|invalid program counter|hardware stack error|"
        "not supported on global/shared address space)");
    return std::regex_search(message, fault);
}

void classify_failure(TestCase& test, const std::string& reason,
                      const std::string& junit_message = "") {
    if (reason == "Timeout") {
        test.outcome = Outcome::timeout;
        test.message = fmt::format("killed after {:.0f} s", test.seconds);
    } else if (reason == "Not Run") {
        test.outcome = Outcome::failed;
        test.message = "the test program was not built";
    } else if (!reason.empty() && reason != "Failed") {
        test.outcome = Outcome::crash;
        test.message = "it crashed: " + reason;
    } else if (ended_early(test, junit_message)) {
        test.outcome = Outcome::crash;
        test.message = "it ended the program (exit) before the test was over";
    } else if (const auto wrong = line_with(test.output, "WRONG ", true); !wrong.empty()) {
        test.outcome = Outcome::wrong;
        test.message = wrong;
    } else {
        test.message = first_failure(test.output);
        test.outcome = is_device_fault(test.message) ? Outcome::crash : Outcome::failed;
    }
}

void classify_not_run(TestCase& test, const pugi::xml_node& node, const std::string& reason) {
    const std::string why = node.child("skipped").attribute("message").value();
    if (reason == "Not Run") {
        classify_failure(test, reason);  // for JUnit this is a skipped test
        return;
    }
    test.outcome = Outcome::skipped;
    test.message = line_with(test.output, "skipped: ", false);
    if (test.message.empty()) test.message = why.empty() ? "no reason given" : why;
    if (test.message == to_string(Outcome::not_done)) test.outcome = Outcome::not_done;
}

}  // namespace

std::vector<TestCase> read_ctest(const std::filesystem::path& xml,
                                 const std::filesystem::path& log) {
    pugi::xml_document document;
    if (!document.load_file(xml.c_str())) return {};
    const auto reasons = read_reasons(log);
    std::vector<TestCase> tests;
    for (const pugi::xml_node& node : document.child("testsuite").children("testcase")) {
        TestCase test;
        test.name = node.attribute("name").value();
        test.seconds = node.attribute("time").as_double();
        test.output = node.child_value("system-out");
        test.configurations = read_configurations(test.output);
        const std::string status = node.attribute("status").value();
        const auto found = reasons.find(test.name);
        const std::string reason = found == reasons.end() ? "" : found->second;
        if (status == "fail") {
            classify_failure(test, reason, node.child("failure").attribute("message").value());
        }
        if (status == "notrun" || status == "disabled") classify_not_run(test, node, reason);
        tests.push_back(std::move(test));
    }
    return tests;
}

}  // namespace common::summary
