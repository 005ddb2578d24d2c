// Tests of the variants' fixture and of the random tests: their messages for variants with mistakes
// (planted/planted.cpp).

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "common/error.hpp"
#include "harness/testing.hpp"
#include "harness/testing_random.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The output of a command.
std::string output_of(const std::string& command) {
    FILE* pipe = popen(fmt::format("({}) 2>&1", command).c_str(), "r");
    std::string text;
    char buffer[4096];
    while (std::size_t bytes = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, bytes);
    pclose(pipe);
    return text;
}

std::string planted(const std::string& test, const std::string& environment = "") {
    setenv("PLANTED_PROGRAM", PLANTED_PROGRAM, 1);  // its path may contain any character
    for (const char* name : {"LABS_RANDOM_MS", "LABS_RANDOM_CASES", "LABS_RANDOM_SEED"}) {
        unsetenv(name);  // these tests choose their cases, not the shell, nor the time
    }
    return output_of(fmt::format("{} \"$PLANTED_PROGRAM\" --gtest_filter='variants/Planted.{}'",
                                 environment, test));
}

/// For CTest a test has passed only with this line; see AddLab.cmake.
auto passes() {
    return HasSubstr("[  PASSED  ] 1 test.");
}

auto fails_with(const std::string& text) {
    return AllOf(Not(passes()), HasSubstr("[  FAILED  ]"), HasSubstr(text));
}

TEST(PlantedVariant, right) {
    EXPECT_THAT(planted("sizes/right"),
                AllOf(passes(), HasSubstr("configurations: 3 checked, 0 refused\n")));
    EXPECT_THAT(planted("random/right", "LABS_RANDOM_CASES=500 LABS_RANDOM_SEED=7"),
                AllOf(passes(), HasSubstr("random: 500 cases, seed 7\n"),
                      HasSubstr("configurations: 500 checked, 0 refused\n")));
}

/// Settings of GoogleTest and OpenMP in the environment. CTest and the driver rely on the usual
/// output of one run.
TEST(PlantedVariant, settings_of_libraries_do_not_reach_tests) {
    for (const char* settings : {"GTEST_COLOR=yes", "GTEST_TOTAL_SHARDS=7 GTEST_SHARD_INDEX=3",
                                 "GTEST_BRIEF=1", "GTEST_REPEAT=0", "GTEST_LIST_TESTS=1",
                                 "TESTBRIDGE_TEST_ONLY=none", "OMP_THREAD_LIMIT=1"}) {
        EXPECT_THAT(planted("sizes/right", settings), AllOf(passes(), HasSubstr("3 checked")))
            << settings;
    }
    EXPECT_THAT(planted("sizes/wrong_from_second_call", "GTEST_COLOR=yes"),
                fails_with("in call 2, on other"));
}

TEST(PlantedVariant, is_in_one_shard) {
    int shards = 0;
    for (const char* shard : {"0/3", "1/3", "2/3"}) {
        const std::string said = output_of(fmt::format(
            "{} --gtest_filter='variants/Planted.sizes/right' --shard={}", PLANTED_PROGRAM, shard));
        shards += said.find("[  PASSED  ] 1 test.") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(shards, 1);
}

TEST(PlantedVariant, refuses_all) {
    EXPECT_THAT(planted("sizes/refuses_all"),
                AllOf(Not(passes()), HasSubstr("[  SKIPPED ]"), Not(HasSubstr("[  FAILED  ]")),
                      HasSubstr("configurations: 0 checked, 3 refused (first: not for me)\n"),
                      HasSubstr("\nskipped: refused all 3 configurations: not for me\n")));
}

TEST(PlantedVariant, refuses_all_but_one) {
    EXPECT_THAT(planted("sizes/refuses_but_one"),
                AllOf(passes(),
                      HasSubstr("configurations: 1 checked, 2 refused (first: only 3 columns)\n")));
}

TEST(PlantedVariant, refuses_what_its_task_asks_for) {
    EXPECT_THAT(
        planted("sizes/refuses_a_task"),
        AllOf(Not(passes()), HasSubstr("[  FAILED  ]"),
              HasSubstr("WRONG refuses_a_task on 3x2x1 (none): refused this call, which the "
                        "task asks for: not 3 columns\n")));
}

TEST(PlantedVariant, is_not_done_yet) {
    for (const char* test : {"sizes/not_done", "random/not_done"}) {
        EXPECT_THAT(planted(test),
                    AllOf(Not(passes()), HasSubstr("[  SKIPPED ]"), Not(HasSubstr("[  FAILED  ]")),
                          HasSubstr("\nskipped: not done yet\n")));
    }
}

/// A variant that throws NotDoneYet for some configurations only must not pass with the others.
TEST(PlantedVariant, is_done_in_part) {
    EXPECT_THAT(planted("sizes/done_in_part"),
                fails_with("done_in_part on 3x2x1 (none): not done yet, unlike other"));
    EXPECT_THAT(planted("random/done_in_part"), fails_with("not done yet, unlike other"));
}

TEST(PlantedVariant, checks_nothing) {
    EXPECT_THAT(planted("nothing/right"), fails_with("the test checked nothing"));
}

TEST(PlantedVariant, wrong_from_the_second_call_on) {
    EXPECT_THAT(planted("sizes/wrong_from_second_call"),
                fails_with("WRONG wrong_from_second_call on 30x20x1 (none): in call 2, on other "
                           "pixels: first wrong value at (x=29, y=19, c=0)"));
    EXPECT_THAT(planted("sizes/wrong_from_third_call"),
                fails_with("in call 3, on the same pixels as in call 1: first wrong value at "
                           "(x=29, y=19, c=0)"));
}

TEST(PlantedVariant, keeps_its_first_result) {
    EXPECT_THAT(planted("sizes/remembers"), fails_with("looks like: only the first call is right"));
}

TEST(PlantedVariant, writes_outside_the_output) {
    EXPECT_THAT(planted("sizes/writes_beside"),
                fails_with("looks like: it writes outside the output, at byte 31 of row 0"));
    EXPECT_THAT(planted("sizes/writes_below"),
                fails_with("looks like: it writes outside the output, at byte 0 of row 20"));
}

TEST(PlantedVariant, changes_its_input) {
    EXPECT_THAT(planted("sizes/changes_input"), fails_with("looks like: it changes its input"));
}

TEST(PlantedVariant, throws) {
    EXPECT_THAT(planted("sizes/throws"), fails_with("throws on 30x20x1 (none): out of luck"));
}

TEST(PlantedVariant, has_a_fault_that_the_emulation_finds) {
    EXPECT_THAT(planted("sizes/faults_in_emulation"),
                fails_with("\nWRONG faults_in_emulation on 30x20x1 (none): misaligned (x.cu:7)\n"));
    EXPECT_THAT(planted("random/faults_in_emulation"),
                fails_with("WRONG faults_in_emulation on 1x1x1 (none): misaligned (x.cu:7)\n"
                           "reduced from"));
}

TEST(PlantedVariant, ends_the_program) {
    EXPECT_THAT(planted("sizes/exits"), Not(passes()));
    EXPECT_THAT(planted("sizes/exits_at_once"), Not(passes()));
    EXPECT_THAT(planted("random/exits"), AllOf(Not(passes()), HasSubstr("LABS_RANDOM_CASE='")));
}

/// The events of a run, see harness/events.hpp, and their kinds with blanks between.
struct Events {
    std::vector<nlohmann::json> all{};
    std::string kinds{};

    explicit Events(const std::string& test, const std::string& environment = "") {
        const auto file = harness::test_folder() / "events.jsonl";
        planted(test, fmt::format("LABS_EVENTS={} {}", file.string(), environment));
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            all.push_back(nlohmann::json::parse(line));
            kinds += (kinds.empty() ? "" : " ") + all.back()["event"].get<std::string>();
            EXPECT_EQ(all.back()["run"], all.front()["run"]);
        }
        std::filesystem::remove_all(file.parent_path());
    }
};

TEST(PlantedEvents, of_a_test_that_came_to_its_end) {
    const Events right("sizes/right");
    EXPECT_EQ(right.kinds, "started checked finished ended");
    EXPECT_EQ(right.all[1]["test"], "variants/Planted.sizes/right");
    EXPECT_EQ(right.all[1]["outcome"], "ok");
    EXPECT_EQ(right.all[1]["checked"], 3);
    EXPECT_EQ(right.all[3]["exit_code"], 0);
    const Events refusing("sizes/refuses_but_one");
    EXPECT_EQ(refusing.all[1]["refused"], 2);
    EXPECT_EQ(refusing.all[1]["first_reason"], "only 3 columns");
}

TEST(PlantedEvents, have_the_outcome_and_why) {
    const std::vector<std::array<std::string, 3>> cases{
        {"sizes/refuses_all", "skipped", "refused all 3 configurations: not for me"},
        {"sizes/not_done", "not done yet", "not done yet"},
        {"random/not_done", "not done yet", "not done yet"},
        {"sizes/done_in_part", "failed", "done_in_part on 3x2x1 (none): not done yet, unlike"},
        {"sizes/remembers", "wrong", "WRONG remembers on 30x20x1 (none): in call 2"},
        {"random/wrong_when_wide", "wrong", "WRONG wrong_when_wide on 37x1x1 (none)"},
        {"sizes/faults_in_emulation", "wrong", "WRONG faults_in_emulation on 30x20x1 (none)"},
        {"sizes/throws", "failed", "throws on 30x20x1 (none): out of luck"},
        {"nothing/right", "failed", "the test checked nothing"}};
    for (const auto& [test, outcome, text] : cases) {
        const Events events(test);
        ASSERT_EQ(events.kinds, "started checked finished ended") << test;
        EXPECT_EQ(events.all[1]["outcome"], outcome) << test;
        EXPECT_THAT(events.all[1]["text"].get<std::string>(), StartsWith(text));
    }
}

TEST(PlantedEvents, say_how_a_program_ended_in_a_test) {
    for (const char* test : {"sizes/exits", "sizes/exits_at_once"}) {
        const Events events(test);
        EXPECT_EQ(events.kinds, "started ended") << test;
        EXPECT_EQ(events.all.back()["exit_code"], 0);
    }
    const Events crash("random/crashes_when_wide");
    EXPECT_EQ(crash.kinds, "started ended");
    EXPECT_EQ(crash.all.back()["signal"], SIGSEGV);
    EXPECT_EQ(Events("sizes/hangs", "timeout -s KILL 0.5").kinds, "started") << "it was killed";
}

TEST(PlantedEvents, that_cannot_be_written_are_no_success) {
    EXPECT_THAT(planted("sizes/right", "LABS_EVENTS=/no/such/folder/events"), Not(passes()));
}

/// The line of the output that repeats the case.
std::string command_in(const std::string& output) {
    std::smatch found;
    const std::regex line("LABS_RANDOM_CASE='.*' .*--gtest_filter='.*'");
    return std::regex_search(output, found, line) ? found.str() : "false";
}

TEST(RandomCases, a_failing_case_is_reduced_and_can_be_repeated) {
    const std::string output = planted("random/wrong_when_wide");
    EXPECT_THAT(output, fails_with("WRONG wrong_when_wide on 37x1x1 (none): first wrong value at"));
    EXPECT_THAT(output, HasSubstr("'width=37;height=1;content=flat;content_seed=1' "));
    EXPECT_THAT(output_of(command_in(output)), fails_with("WRONG wrong_when_wide on 37x1x1"));
}

TEST(RandomCases, a_crash_leaves_the_command) {
    const std::string output = planted("random/crashes_when_wide");
    EXPECT_THAT(output, AllOf(Not(passes()), HasSubstr("not reduced: the process ended")));
    EXPECT_EQ(command_in(output_of(command_in(output))), command_in(output));
}

TEST(RandomCases, are_the_same_for_a_seed_and_can_be_written_and_read) {
    const auto parameters =
        harness::joined({harness::size_parameters(400'000), harness::content_parameters(),
                         harness::launch_parameters({"cuda_best", common::Backend::cuda, ""})});
    int differing = 0;
    for (int i = 0; i < 1000; ++i) {
        const harness::Case chosen = harness::make_case(parameters, 1, i);
        const std::string text = harness::to_text(parameters, chosen);
        EXPECT_EQ(harness::parse_case(parameters, text), chosen) << text;
        EXPECT_EQ(harness::make_case(parameters, 1, i), chosen) << text;
        differing += harness::make_case(parameters, 2, i) != chosen;
        EXPECT_LE(chosen["width"] * chosen["height"], 400'000) << text;
        EXPECT_GE(std::min(chosen["width"], chosen["height"]), 1) << text;
        EXPECT_LE(chosen["block_width"] * chosen["block_height"], 1024) << text;
    }
    EXPECT_GT(differing, 990);
    EXPECT_THROW(harness::parse_case(parameters, "width=3;height=x"), common::BadUsage);
    EXPECT_THROW(harness::parse_case(parameters, "height=3;width=1"), common::BadUsage);
}

}  // namespace
