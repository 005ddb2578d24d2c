// Tests from the output of GoogleTest programs that ran without CTest, so that one process may run
// several tests.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <regex>

#include "test_output.hpp"

namespace harness::summary {
namespace {

namespace fs = std::filesystem;

/// The end of the program, from the line that run_all.sh adds: "ended: exit code N after S s".
struct Ending {
    int code = 0;
    double seconds = 0;
};

std::optional<Ending> read_ending(const std::string& line) {
    static const std::regex format(R"(^ended: exit code (\d+) after (\d+) s$)");
    std::smatch match;
    if (!std::regex_match(line, match, format)) return std::nullopt;
    return Ending{std::stoi(match[1]), std::stod(match[2])};
}

/// CTest's word for an exit code of a shell: 124 and 137 are those of timeout(1), and 128 + N that
/// of a program that signal N ended.
std::string reason_of(int code) {
    static const std::map<int, std::string> signals{{4, "ILLEGAL"},
                                                    {6, "Subprocess aborted"},
                                                    {7, "Bus error"},
                                                    {8, "NUMERICAL"},
                                                    {11, "SEGFAULT"}};
    if (code == 124 || code == 137) return "Timeout";
    if (code <= 128) return "";
    const auto found = signals.find(code - 128);
    return found != signals.end() ? found->second : fmt::format("signal {}", code - 128);
}

class Reader {
  public:
    explicit Reader(const fs::path& path) {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) read(line);
        finish();
    }

    std::vector<TestCase> tests;

  private:
    std::optional<TestCase> running_;
    std::optional<Ending> ending_;
    bool reported_ = false;  // GoogleTest came to its last lines

    /// The text after `mark`, which may stand behind text that a variant printed.
    static std::optional<std::string> after(const std::string& line, const std::string& mark) {
        const std::size_t at = line.find(mark);
        if (at == std::string::npos) return std::nullopt;
        return line.substr(at + mark.size());
    }

    bool ends(const std::string& line, const std::string& mark) const {
        const auto rest = after(line, mark);
        return running_ && rest && rest->starts_with(running_->name);
    }

    void read(const std::string& line) {
        if (const auto name = after(line, "[ RUN      ] ")) {
            running_ = TestCase{.name = *name};
        } else if (const auto ending = read_ending(line)) {
            ending_ = ending;
        } else if (ends(line, "[       OK ] ")) {
            close(Outcome::ok);
        } else if (ends(line, "[  SKIPPED ] ")) {
            close(Outcome::skipped);
        } else if (ends(line, "[  FAILED  ] ")) {
            close(Outcome::failed);
        } else if (running_) {
            running_->output += line + "\n";
        } else if (after(line, "[  PASSED  ] ") || after(line, "[  FAILED  ] ")) {
            reported_ = true;
        }
    }

    void close(Outcome outcome) {
        TestCase& test = *running_;
        test.outcome = outcome;
        test.configurations = read_configurations(test.output);
        if (outcome == Outcome::failed) classify_failure(test, "Failed", /*ended_early=*/false);
        if (outcome == Outcome::skipped) classify_skipped(test, "");
        tests.push_back(std::move(test));
        running_.reset();
    }

    /// A program that ended before GoogleTest's last lines has not passed.
    void finish() {
        if (!running_ && (reported_ || tests.empty())) return;
        TestCase test = running_ ? *running_ : tests.back();
        if (!running_) tests.pop_back();
        const Ending ending = ending_.value_or(Ending{});
        test.seconds = ending.seconds;
        test.configurations = read_configurations(test.output);
        classify_failure(test, reason_of(ending.code), /*ended_early=*/true);
        tests.push_back(std::move(test));
    }
};

}  // namespace

std::vector<TestCase> read_gtest_logs(const fs::path& folder) {
    std::vector<fs::path> logs;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const fs::path& path = entry.path();
        if (path.filename().string().starts_with("gtest") && path.extension() == ".log")
            logs.push_back(path);
    }
    std::sort(logs.begin(), logs.end());
    std::vector<TestCase> all;
    for (const fs::path& log : logs) {
        const auto tests = Reader(log).tests;
        all.insert(all.end(), tests.begin(), tests.end());
    }
    return all;
}

}  // namespace harness::summary
