// A program of tests, and the ranks that it starts. With LABS_EVENTS, the tests run in a child
// process, whose end the parent records: nothing in the child could, after a signal, _exit, or a
// stack that overflowed.

#include "testing_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/events.hpp"
#include "harness/ranks.hpp"
#include "testing_crash.hpp"

namespace {

using nlohmann::ordered_json;

/// The first part of a test's result that is of this kind, or "".
std::string first_part(const testing::TestResult& result,
                       bool (testing::TestPartResult::*is)() const) {
    for (int i = 0; i < result.total_part_count(); ++i) {
        const testing::TestPartResult& part = result.GetTestPartResult(i);
        if ((part.*is)()) return part.message();
    }
    return "";
}

/// Removes the prefix that FAIL() or our GTEST_SKIP()s add to a message.
std::string without_mark(const std::string& text) {
    for (const std::string_view mark : {"Failed\n", "skipped: "}) {
        if (text.starts_with(mark)) return text.substr(mark.size());
    }
    return text;
}

/// Records each test; see events.hpp.
class Recorder : public testing::EmptyTestEventListener {
  public:
    Recorder(std::string file, pid_t run, harness::StackRecord& stack)
        : file_(std::move(file)), run_(run), stack_(stack) {}

  private:
    std::string file_;
    pid_t run_;
    harness::StackRecord& stack_;

    /// Appends an event to this program's file. LABS_EVENTS is set only meanwhile, so that programs
    /// that a test starts do not write to this file.
    void record(ordered_json event) const {
        event["run"] = run_;
        setenv("LABS_EVENTS", file_.c_str(), 1);
        harness::emit(event);
        unsetenv("LABS_EVENTS");
    }

    static std::string name_of(const testing::TestInfo& test) {
        return std::string(test.test_suite_name()) + "." + test.name();
    }

    void OnTestStart(const testing::TestInfo& test) override {
        record({{"event", "started"}, {"test", name_of(test)}});
        stack_.watch();
    }

    void OnTestEnd(const testing::TestInfo& test) override {
        const testing::TestResult& result = *test.result();
        ordered_json event{{"event", "checked"},
                           {"test", name_of(test)},
                           {"outcome", "ok"},
                           {"text", ""},
                           {"seconds", 1e-3 * static_cast<double>(result.elapsed_time())}};
        if (result.Failed()) {
            event["outcome"] = "failed";
            event["text"] = without_mark(first_part(result, &testing::TestPartResult::failed));
        } else if (result.Skipped()) {
            event["outcome"] = "skipped";
            event["text"] = without_mark(first_part(result, &testing::TestPartResult::skipped));
        }
        for (int i = 0; i < result.test_property_count(); ++i) {  // of VariantTestBase::report()
            const std::string key = result.GetTestProperty(i).key();
            const std::string value = result.GetTestProperty(i).value();
            const bool is_count = key == "checked" || key == "refused" || key == "left_out";
            event[key] = is_count ? ordered_json(std::stoll(value)) : ordered_json(value);
        }
        record(std::move(event));
    }

    void OnTestProgramEnd(const testing::UnitTest&) override { record({{"event", "finished"}}); }
};

/// Begins again without the variables of the libraries under the tests, if there are any: they
/// would change what is tested (a filter, shards, threads) or what CTest looks for in the output
/// (colours). Each library reads its own before main(). Settings of GoogleTest are given as
/// arguments.
void leave_settings_of_libraries(char** argv) {
    constexpr std::array<std::string_view, 6> prefixes{"GTEST_", "TESTBRIDGE_", "OMP_",
                                                       "GOMP_",  "KMP_",        "OPENCV_"};
    std::vector<char*> kept;
    bool all = true;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const bool ours = text == "OMP_WAIT_POLICY=passive";
        const bool of_library = std::any_of(prefixes.begin(), prefixes.end(),
                                            [&](auto prefix) { return text.starts_with(prefix); });
        if (ours || !of_library) kept.push_back(*entry);
        all = all && (ours || !of_library);
    }
    if (all) return;
    kept.push_back(nullptr);
    execve("/proc/self/exe", argv, kept.data());
    std::perror("cannot start the tests without the settings of libraries");
    std::exit(1);
}

/// `--shard=INDEX/COUNT`: a share of the tests.
void choose_shard(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string text = argv[i];
        if (!text.starts_with("--shard=")) continue;
        const std::size_t slash = text.find('/');
        setenv("GTEST_SHARD_INDEX", text.substr(8, slash - 8).c_str(), 1);
        setenv("GTEST_TOTAL_SHARDS", text.substr(slash + 1).c_str(), 1);
    }
}

int run_tests(int argc, char** argv, testing::TestEventListener* recorder) {
    testing::InitGoogleMock(&argc, argv);
    choose_shard(argc, argv);
    if (recorder != nullptr) testing::UnitTest::GetInstance()->listeners().Append(recorder);
    return RUN_ALL_TESTS();
}

/// Ends this process like the other one, but without a second core file.
int end_like(int status) {
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 1;
}

int run_recorded(int argc, char** argv) {
    const std::string file = std::getenv("LABS_EVENTS");
    const pid_t parent = getpid();
    harness::StackRecord stack;
    struct sigaction interrupt {};
    interrupt.sa_handler = [](int) {};
    sigaction(SIGUSR1, &interrupt, nullptr);  // from a child whose test runs for long
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // who stops the parent stops the tests
        if (getppid() != parent) return 1;
        unsetenv("LABS_EVENTS");
        return run_tests(argc, argv, new Recorder(file, parent, stack));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 1;
        harness::emit({{"event", "long"}, {"run", parent}, {"place", stack.place()}});
    }
    ordered_json event{{"event", "ended"}, {"run", parent}};
    if (WIFSIGNALED(status)) {
        event["signal"] = WTERMSIG(status);
        event["place"] = stack.place();
    } else {
        event["exit_code"] = WEXITSTATUS(status);
    }
    harness::emit(event);
    return end_like(status);
}

}  // namespace

int harness::test_program(int argc, char** argv) {
    if (is_rank(argc, argv)) return serve_as_rank(argc, argv);
    leave_settings_of_libraries(argv);
    // fork() comes first, before the process has threads or a GPU context that the child would
    // lose.
    return has_event_file() ? run_recorded(argc, argv) : run_tests(argc, argv, nullptr);
}
