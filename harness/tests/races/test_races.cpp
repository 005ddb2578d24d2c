// Tests of the check for data races: on the constructs of OpenMP (constructs.cpp), and where
// programs may not do everything.

#include "harness/testing_race_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cstdio>
#include <filesystem>

namespace {

namespace fs = std::filesystem;
using Result = harness::RaceCheck::Result;
using testing::HasSubstr;

harness::RaceCheck check(const std::string& construct, const fs::path& program = RACES_PROGRAM) {
    fs::current_path(BUILD_FOLDER);
    return harness::run_race_program(program, construct);
}

class Races : public testing::TestWithParam<const char*> {};

TEST_P(Races, are_found_and_no_others) {
    const bool has_race = std::string(GetParam()).starts_with("race");
    const harness::RaceCheck found = check(GetParam());
    if (found.result == Result::not_checked) GTEST_SKIP() << "not checked: " << found.text;
    EXPECT_EQ(found.result, has_race ? Result::race : Result::no_race) << found.text;
    EXPECT_EQ(found.text.find(": race: ") != std::string::npos, has_race) << found.text;
}

INSTANTIATE_TEST_SUITE_P(constructs, Races,
                         testing::Values("loop_dynamic", "loop_monotonic", "loop_guided",
                                         "loop_runtime", "loop_in_region", "cancelled_loop",
                                         "nested", "nested_with_a_reference",
                                         "tasks_with_a_reference", "sections", "critical", "locks",
                                         "single", "ordered", "wavefront", "tasks", "task_loop",
                                         "dependent_tasks", "own_barrier", "queue_of_rows",
                                         "recursive_tasks", "loop_in_sections", "race_of_a_sum",
                                         "race_with_an_atomic_update", "race_without_a_barrier",
                                         "race_before_a_crash", "race_before_the_end"),
                         [](const auto& test) { return std::string(test.param); });

struct Order {
    const char* construct;
    const char* named;
};

class Orders : public testing::TestWithParam<Order> {};

TEST_P(Orders, are_named) {
    const harness::RaceCheck found = check(GetParam().construct);
    if (found.result == Result::not_checked) GTEST_SKIP() << "not checked: " << found.text;
    EXPECT_EQ(found.result, Result::race);
    EXPECT_THAT(found.text, HasSubstr(GetParam().named));
}

INSTANTIATE_TEST_SUITE_P(
    constructs, Orders,
    testing::Values(
        Order{"race_with_an_atomic_update", ") protects its own statement only: line "},
        Order{"race_without_a_barrier", "`nowait` removes the barrier at the end of `for` (line "},
        Order{"race_after_master", ") has no barrier at its end (`single` has one): line "},
        Order{"race_without_a_loop_construct", "every thread executes line "},
        Order{"race_after_a_task", "no `taskwait` after `task` (line "},
        Order{"race_in_two_critical_sections", ") have different names, and do not exclude "},
        Order{"race_of_a_source_too_early", "`depend(source)` (line "},
        Order{"race_of_a_sink_in_the_same_row", "waits for iterations of the same `i` only"}),
    [](const auto& test) { return std::string(test.param.construct); });

void expect(const harness::RaceCheck& found, Result result, const std::string& text) {
    EXPECT_EQ(found.result, result) << found.text;
    EXPECT_THAT(found.text, HasSubstr(text));
}

class Shares : public testing::TestWithParam<const char*> {};

TEST_P(Shares, are_of_several_threads) {
    const bool is_alone = std::string(GetParam()).starts_with("alone");
    const harness::RaceCheck found = check(GetParam());
    if (found.result == Result::not_checked) GTEST_SKIP() << "not checked: " << found.text;
    EXPECT_EQ(found.result, is_alone ? Result::race : Result::no_race) << found.text;
    EXPECT_EQ(found.text.find("(threads=4): one thread wrote ") != std::string::npos, is_alone);
}

INSTANTIATE_TEST_SUITE_P(programs, Shares,
                         testing::Values("in_rows", "in_dynamic_rows", "within_rows", "in_columns",
                                         "in_two_passes", "in_blocks", "in_tasks", "in_std_threads",
                                         "alone_twice", "alone_after_a_clear",
                                         "alone_before_a_copy", "alone_while_others_wait"),
                         [](const auto& test) { return std::string(test.param); });

TEST(RaceCheck, says_that_it_does_not_know_who_wrote) {
    expect(check("unknown_in_other_calls"), Result::not_checked,
           "which thread writes how much: two calls with the same input have different outputs");
}

TEST(RaceCheck, says_how_the_program_ended) {
    expect(check("ends_the_program"), Result::failed, "ended the program that looks for races: ex");
    expect(check("ends_with_a_signal"), Result::failed, "SEGV on unknown address");
    expect(check("ends_with_a_refusal"), Result::not_checked, "it refuses an array: not today");
    expect(check("ends_not_begun"), Result::not_done, "not done yet");
    expect(check("no_such"), Result::not_checked, "no variant is called no_such");
}

TEST(RaceCheck, says_that_the_program_cannot_be_started) {
    expect(check("nested", "/nowhere"), Result::not_checked, "is not built");
    expect(check("nested", "/dev/null"), Result::not_checked, "cannot start /dev/null: Permission");
}

TEST(RaceCheck, starts_a_program_of_any_name) {
    for (const char* name : {"it's", "a b", "a+b", "über", "$(exit)", "\"", "a;b&", "*", "-R"}) {
        const fs::path copy = fs::path(testing::TempDir()) / name;
        fs::copy_file(RACES_PROGRAM, copy, fs::copy_options::overwrite_existing);
        expect(check("race_of_a_sum", copy), Result::race, "race: ");
        fs::remove(copy);
    }
}

/// Ends the process with the result as its exit code, as a death test wants it.
[[noreturn]] void end_with_check() {
    const harness::RaceCheck found = check("race_of_a_sum");
    std::fprintf(stderr, "%s\n", found.text.c_str());
    std::_Exit(static_cast<int>(found.result));
}

/// As in Docker: see tests/in_docker.py.
void forbid_personalities() {
    sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 2),
                          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)};
    const sock_fprog program{std::size(code), code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) std::_Exit(99);
}

TEST(RaceCheck, finds_a_race_where_addresses_have_to_be_random) {
    const auto ended = [](int status) {
        const auto code = static_cast<Result>(WEXITSTATUS(status));
        return code == Result::race || code == Result::not_checked;  // it depends on the kernel
    };
    EXPECT_EXIT((forbid_personalities(), end_with_check()), ended,
                "race: |unexpected memory mapping");
}

TEST(RaceCheck, says_that_memory_is_limited) {
    const auto limit = [] {
        const rlimit addresses{3'000'000'000, RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &addresses);
    };
    EXPECT_EXIT((limit(), end_with_check()),
                testing::ExitedWithCode(static_cast<int>(Result::not_checked)),
                "it needs ulimit -v unlimited, not 2929687");
}

}  // namespace
