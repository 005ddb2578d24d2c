// Why tests failed. CTest's JUnit file does not distinguish a crash, a timeout and a wrong result;
// the reason is at the end of CTest's output.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>
#include <regex>
#include <sstream>

#include "test_output.hpp"

namespace harness::summary {
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

/// GoogleTest prints a line at the end of every test program. If CTest does not find it, and no
/// failure was reported, something ended the program.
bool ended_early(const TestCase& test, const std::string& junit_message) {
    return junit_message.starts_with("Required regular expression not found") &&
           test.output.find("[  FAILED  ]") == std::string::npos;
}

void classify_not_run(TestCase& test, const pugi::xml_node& node, const std::string& reason) {
    if (reason == "Not Run") {  // for JUnit this is a skipped test
        classify_failure(test, reason, /*ended_early=*/false);
    } else {
        classify_skipped(test, node.child("skipped").attribute("message").value());
    }
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
            classify_failure(test, reason,
                             ended_early(test, node.child("failure").attribute("message").value()));
        }
        if (status == "notrun" || status == "disabled") classify_not_run(test, node, reason);
        tests.push_back(std::move(test));
    }
    return tests;
}

}  // namespace harness::summary
