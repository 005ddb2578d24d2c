// `labs_summary plan` and `variant` on folders as `run_all.sh --variant` leaves them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/testing.hpp"
#include "one_variant.hpp"

namespace {

namespace fs = std::filesystem;
using harness::summary::Outcome;
using harness::summary::Plan;
using harness::summary::VariantVerdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string passed =
    "[ RUN      ] variants/T.sizes/omp_new\n"
    "configurations: 3 checked, 0 refused\n"
    "[       OK ] variants/T.sizes/omp_new (3 ms)\n";
const std::string begun = "[ RUN      ] variants/T.random/omp_new\n";
const std::string last_line = "[  PASSED  ] 1 test.\n";

class OneVariant : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder() / "lab7-test";
    const fs::path rules_ = folder_.parent_path() / "rules.json";

    void SetUp() override {
        write("state", "build ok\nfinished yes\n");
        write("built.txt", "seq\nomp_old\nomp_new\ncuda_new\n");
        write("variants.json", R"([
            {"name": "seq", "backend": "seq", "available": true},
            {"name": "omp_old", "backend": "omp", "available": true},
            {"name": "omp_not_here", "backend": "omp", "available": false, "reason": "no"},
            {"name": "omp_new", "backend": "omp", "available": true},
            {"name": "cuda_new", "backend": "cuda", "available": true, "emulated": true}])");
    }
    void TearDown() override { fs::remove_all(folder_.parent_path()); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    void tests(const std::string& output, int code = 0) const {
        write("gtest0.log", output + "\nended: exit code " + std::to_string(code) + " after 7 s\n");
    }
    VariantVerdict verdict(const std::string& name = "omp_new") const {
        return verdict_on(harness::summary::read_lab(folder_), name, rules_);
    }
    Plan plan(const std::string& name = "omp_new") const {
        return plan_for(harness::summary::read_lab(folder_), name, rules_);
    }
    void times(const std::string& old_ms, const std::string& new_ms,
               const std::string& spread = "0.01") const {
        const std::string head = "lab7-test,ladder,";
        const auto row = [&](const std::string& variant, const std::string& backend,
                             const std::string& ms, double speedup) {
            return head + variant + "," + backend + ",20,10,1,,10," + ms + ",40," +
                   std::to_string(speedup) + "," + spread + "\n";
        };
        write("state", "build ok\nbench ok\nfinished yes\n");
        write("csv/ladder.csv",
              "lab,experiment,variant,backend,width,height,channels,parameters,repeats,"
              "kernel_ms_mean,percent_of_copy,speedup_kernel,spread,cpu,gpu,compiler\n");
        std::ofstream csv(folder_ / "csv/ladder.csv", std::ios::app);
        for (const std::string& line : {row("seq", "seq", "8", 1), row("omp_old", "omp", old_ms, 2),
                                        row("omp_new", "omp", new_ms, 4)}) {
            csv << line.substr(0, line.size() - 1) << ",cpu,none,g++\n";
        }
    }
};

TEST_F(OneVariant, is_compared_with_the_rung_before) {
    tests(passed + last_line);
    EXPECT_EQ(plan().experiment, "ladder");
    EXPECT_THAT(plan().variants, ElementsAre("omp_new", "omp_old"));
    times("4", "2.5");
    EXPECT_THAT(verdict().text, HasSubstr("right: 4.0x seq, 40 % of copy, 60 % ahead of omp_old"));
    times("1", "2");
    EXPECT_THAT(verdict().text, HasSubstr("50 % behind omp_old"));
    times("8", "2");
    EXPECT_THAT(verdict().text, HasSubstr("4.0 times as fast as omp_old"));
    times("8", "2", "0.5");
    EXPECT_THAT(verdict().text, HasSubstr("right: too noisy: its times spread by 50 %"));
}

TEST_F(OneVariant, rules_say_what_to_measure_and_what_is_missing) {
    tests(passed + last_line);
    std::ofstream(rules_) << R"({"lab": "lab7", "tasks": [{"id": "A", "title": "a",
        "variant": "omp_new", "tests": [{"name": "sizes", "points": 3}],
        "speed": {"points": 4, "experiment": "ladder", "against": "peer_best", "floor": 1,
                  "full": 2}}]})";
    EXPECT_THAT(plan().variants, ElementsAre("omp_new", "omp_old", "peer_best"));
    EXPECT_THAT(verdict().text, HasSubstr("points: 3 of 7; next: speed: not measured"));
}

TEST_F(OneVariant, a_test_that_fails_is_told_and_nothing_is_measured) {
    tests(passed + begun + "WRONG omp_new on 1x1: expected 1, got 2\n" +
              "[  FAILED  ] variants/T.random/omp_new, where GetParam() = \"omp_new\" (1 ms)\n" +
              "[  FAILED  ] 1 test, listed below:\n",
          1);
    EXPECT_EQ(verdict().outcome, Outcome::wrong);
    EXPECT_THAT(verdict().text, HasSubstr("omp_new: wrong, in the test variants/T.random/omp_new"));
    EXPECT_THAT(verdict().text, HasSubstr("expected 1, got 2"));
    EXPECT_EQ(plan().experiment, "");
}

TEST_F(OneVariant, a_program_that_ends_in_a_test_has_not_passed_it) {
    tests(passed + begun, 0);
    EXPECT_EQ(verdict().outcome, Outcome::crash);
    EXPECT_THAT(verdict().text, HasSubstr("it ended the program (exit) before the test was over"));
    tests(passed + begun, 139);
    EXPECT_THAT(verdict().text, HasSubstr("it crashed: SEGFAULT"));
    tests(passed + begun, 137);
    EXPECT_EQ(verdict().outcome, Outcome::timeout);
    EXPECT_THAT(verdict().text, HasSubstr("killed after 7 s"));
}

TEST_F(OneVariant, a_program_that_ends_between_tests_has_not_passed) {
    tests(passed, 0);
    EXPECT_EQ(verdict().outcome, Outcome::crash);
    tests("", 0);
    EXPECT_EQ(verdict().outcome, Outcome::not_tested);
}

TEST_F(OneVariant, text_before_a_mark_does_not_hide_it) {
    tests(begun + "no end of line[       OK ] variants/T.random/omp_new (1 ms)\n" + last_line);
    EXPECT_EQ(verdict().outcome, Outcome::ok);
}

TEST_F(OneVariant, emulated_has_counters_instead_of_a_time) {
    tests(
        "[ RUN      ] variants/T.sizes/cuda_new\n[       OK ] variants/T.sizes/cuda_new (1 ms)\n" +
        last_line);
    ASSERT_EQ(plan("cuda_new").explanations.size(), 1);
    EXPECT_EQ(plan("cuda_new").experiment, "");
    write("counters/explain.txt", "time - (emulated)\n\nkernel k: 1 launch\nper request: 2\n");
    EXPECT_THAT(verdict("cuda_new").text,
                HasSubstr("right: correct (emulated)\nkernel k: 1 launch\nper request: 2\n"));
}

TEST_F(OneVariant, not_begun_is_neither_right_nor_wrong) {
    tests(
        "[ RUN      ] variants/T.sizes/omp_new\nskipped: not done yet\n"
        "[  SKIPPED ] variants/T.sizes/omp_new (1 ms)\n[  PASSED  ] 0 tests.\n");
    EXPECT_EQ(verdict().outcome, Outcome::not_done);
    EXPECT_EQ(verdict().text, "omp_new: not done yet\n");
    EXPECT_THAT(plan().variants, IsEmpty());
}

}  // namespace
