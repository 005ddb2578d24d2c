// The results in the output of a test.

#include "test_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

namespace harness::summary {
namespace {

/// The rest of the first line that contains `mark`, with the mark if `with_mark`.
std::string line_with(const std::string& text, const std::string& mark, bool with_mark) {
    const std::size_t start = text.find(mark);
    if (start == std::string::npos) return "";
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::size_t from = with_mark ? start : start + mark.size();
    return text.substr(from, end - from);
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

}  // namespace

Configurations read_configurations(const std::string& output) {
    static const std::regex line_format(R"(^(\d+) checked, (\d+) refused(?: \(first: (.*)\))?$)");
    const std::string line = line_with(output, "configurations: ", false);
    std::smatch match;
    if (!std::regex_match(line, match, line_format)) return {};
    const std::string left_out = line_with(output, "too much to be emulated: ", false);
    return {std::stoi(match[1]), std::stoi(match[2]), std::atoi(left_out.c_str()), match[3]};
}

void classify_failure(TestCase& test, const std::string& reason, bool ended_early) {
    if (reason == "Timeout") {
        test.outcome = Outcome::timeout;
        test.message = fmt::format("killed after {:.0f} s", test.seconds);
    } else if (reason == "Not Run") {
        test.outcome = Outcome::failed;
        test.message = "the test program was not built";
    } else if (!reason.empty() && reason != "Failed") {
        test.outcome = Outcome::crash;
        test.message = "it crashed: " + reason;
    } else if (ended_early) {
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

void classify_skipped(TestCase& test, const std::string& otherwise) {
    test.outcome = Outcome::skipped;
    test.message = line_with(test.output, "skipped: ", false);
    if (test.message.empty()) test.message = otherwise.empty() ? "no reason given" : otherwise;
    if (test.message == to_string(Outcome::not_done)) test.outcome = Outcome::not_done;
}

}  // namespace harness::summary
