// labs_points: points by rules, on what run_all.sh leaves.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "answers.hpp"
#include "common/error.hpp"
#include "harness/testing.hpp"
#include "points.hpp"
#include "points_sources.hpp"

namespace {

namespace fs = std::filesystem;
using harness::summary::Configurations;
using harness::summary::counter_in;
using harness::summary::is_right;
using harness::summary::LabReport;
using harness::summary::LabScore;
using harness::summary::Outcome;
using harness::summary::TestCase;
using harness::summary::VariantReport;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr char rules[] = R"({"lab": "lab7-test", "tasks": [
    {"id": "A", "title": "on the CPU", "variant": "omp_new",
     "tests": [{"name": "sizes", "points": 3}, {"name": "random", "points": 2}],
     "speed": {"points": 4, "experiment": "ladder", "where": {"filter": "gauss3"},
               "against": "seq", "floor": 1.2, "full": 1.6}, "by_hand": 1},
    {"id": "B", "title": "on the GPU", "variant": "cuda_new",
     "tests": [{"name": "sizes", "points": 5}],
     "speed": {"points": 6, "experiment": "ladder", "against": "seq", "floor": 2, "full": 3},
     "counters": [{"counter": "load sectors/request", "input": "random:8x8", "at_most": 3.5,
                   "points": 6}]},
    {"id": "C", "title": "analysis", "answers": [{"name": "sectors", "points": 2}]}]})";

constexpr char explanation[] = R"(input    random:8x8, 8x8, colour

kernel first: 1 launch, grid 15x34, block 32x8x3, 0 bytes of shared memory
510 blocks, 12240 warps; per block 2 barriers and 0 warp operations

l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum                 100
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum                  300

kernel second: 2 launches, grid 1x1, block 32x1, 0 bytes of shared memory
1 block, 1 warp; per block 1 barrier and 0 warp operations

l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum                 100
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum                  400
)";

class Points : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder();
    LabReport lab_;

    void SetUp() override {
        lab_.name = "lab7-test";
        lab_.folder = folder_ / lab_.name;
        lab_.bench = "ok";
        write("rules.json", rules);
        lab_.variants.push_back({.name = "seq", .built = true, .outcome = Outcome::ok});
        lab_.variants.push_back({.name = "omp_new", .built = true, .outcome = Outcome::ok});
        lab_.variants.push_back(
            {.name = "cuda_new", .built = true, .emulated = true, .outcome = Outcome::ok});
        add_test("sizes", "omp_new");
        add_test("random", "omp_new");
        add_test("sizes", "cuda_new");
        write_times("1.0", "2.0");
        write("lab7-test/counters/0.txt", explanation);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }

    TestCase& add_test(const std::string& name, const std::string& variant) {
        lab_.tests.push_back({.name = "lab7.variants/Test." + name + "/" + variant,
                              .configurations = {.checked = 9}});
        return lab_.tests.back();
    }

    /// Medians of omp_new and seq with gauss3; other rows must not count.
    void write_times(const std::string& own, const std::string& other,
                     const std::string& spread = "0.01") const {
        std::string text =
            "experiment,variant,width,height,channels,filter,kernel_ms_median,spread,"
            "disturbed\n";
        const auto row = [&](const std::string& variant, int width, const std::string& filter,
                             const std::string& ms) {
            text +=
                fmt::format("ladder,{},{},10,3,{},{},{},0\n", variant, width, filter, ms, spread);
        };
        row("seq", 20, "gauss3", other);
        row("omp_new", 20, "gauss3", own);
        row("omp_new", 20, "gauss3", "99");     // another block, slower
        row("omp_new", 10, "gauss3", "0.001");  // a smaller image
        row("seq", 20, "gauss5", "99");
        row("omp_new", 40, "gauss3", "");  // wrong, so not timed
        write("lab7-test/csv/ladder.csv", text);
    }

    LabScore score() const {
        return score_lab(lab_, {.rules = folder_ / "rules.json",
                                .answers = folder_ / "answers.txt",
                                .key = folder_ / "key.txt"});
    }
    double points(std::size_t task) const { return score().tasks.at(task).points(); }
    std::string next(std::size_t task) const { return score().tasks.at(task).next(); }
};

TEST_F(Points, all) {
    write("answers.txt", "# mine\nsectors = 3.67 # measured\n");
    write("key.txt", "sectors = 3.66\n");
    EXPECT_EQ(score().points(), 9 + 11 + 2);
    EXPECT_EQ(score().of(), 9 + 11 + 2);
    EXPECT_EQ(score().by_teacher(), 1);
    EXPECT_EQ(next(0) + next(1) + next(2), "");
    const std::string text = points_as_text(score());
    EXPECT_THAT(text, HasSubstr("A  on the CPU                9 of 9\n"));
    EXPECT_THAT(text, HasSubstr("22 of 22\nUp to 1 more for explanations and answers (A): "));
    EXPECT_THAT(text, HasSubstr("77 more for tests that you do not see"));
    EXPECT_EQ(points_as_json(score())["tasks"][1]["points"], 11);
}

TEST_F(Points, a_stub_has_none) {
    lab_.variants[1].outcome = Outcome::not_done;
    for (int i : {0, 1}) lab_.tests[static_cast<std::size_t>(i)].outcome = Outcome::not_done;
    EXPECT_EQ(points(0), 0);
    EXPECT_EQ(next(0), "test sizes: not done yet");
}

TEST_F(Points, a_failed_test_costs_its_points_and_those_for_speed) {
    lab_.variants[1].outcome = Outcome::wrong;
    lab_.tests[1].outcome = Outcome::wrong;
    lab_.tests[1].message = "WRONG omp_new on 1x1";
    EXPECT_EQ(points(0), 3);
    EXPECT_EQ(next(0), "test random: wrong: WRONG omp_new on 1x1");
}

TEST_F(Points, a_test_that_was_mostly_refused_does_not_count) {
    lab_.tests[0].configurations = {.checked = 2, .refused = 3, .first_reason = "no"};
    EXPECT_EQ(points(0), 2 + 4);
    lab_.tests[0].configurations = {.checked = 3, .refused = 3, .first_reason = "no"};
    EXPECT_EQ(points(0), 9);
}

TEST_F(Points, a_test_that_is_not_there_does_not_count) {
    lab_.tests.erase(lab_.tests.begin());
    EXPECT_EQ(points(0), 2 + 4);
    EXPECT_EQ(next(0), "test sizes: there is no such test");
    lab_.variants.erase(lab_.variants.begin() + 1);
    lab_.tests.clear();
    EXPECT_EQ(points(0), 0);
    EXPECT_EQ(next(0), "test sizes: there is no variant omp_new");
}

TEST_F(Points, what_does_not_compile_has_none_and_the_reason) {
    lab_.variants[1] = {
        .name = "omp_new", .outcome = Outcome::not_compiled, .message = "error: expected ';'"};
    for (TestCase& test : lab_.tests) test.outcome = Outcome::skipped;
    EXPECT_EQ(points(0), 0);
    EXPECT_EQ(next(0), "test sizes: does not compile: error: expected ';'");
}

TEST_F(Points, speed_is_linear_between_floor_and_full) {
    write_times("1.0", "1.4");
    EXPECT_DOUBLE_EQ(points(0), 5 + 2);
    EXPECT_THAT(next(0), HasSubstr("speed: 1.40 times as fast as seq"));
    write_times("1.0", "1.02");  // the sequential program under another name
    EXPECT_EQ(points(0), 5);
    write_times("1.0", "1.2");
    EXPECT_EQ(points(0), 5);
    write_times("1.0", "9");
    EXPECT_EQ(points(0), 9);
}

TEST_F(Points, speed_that_was_not_measured_now_has_none) {
    write_times("1.0", "9", "0.5");
    EXPECT_EQ(points(0), 5);
    EXPECT_THAT(next(0), HasSubstr("too noisy"));
    lab_.tests[1].outcome = Outcome::wrong;  // another reason does not hide it
    EXPECT_THAT(points_as_text(score()), HasSubstr("noisy; test random: wrong"));
    lab_.tests[1].outcome = Outcome::ok;
    write_times("1.0", "");
    EXPECT_THAT(next(0), HasSubstr("seq was not measured"));
    lab_.bench = "";  // --no-bench; the file of an earlier run is there
    write_times("1.0", "9");
    EXPECT_EQ(points(0), 5);
    EXPECT_EQ(next(0), "speed: not measured in this run");
}

TEST_F(Points, counters_replace_speed_where_there_is_no_gpu) {
    EXPECT_EQ(points(1), 5 + 6);
    write("lab7-test/counters/0.txt", "error: cuda_new is WRONG\n");
    EXPECT_EQ(points(1), 5);
    EXPECT_THAT(next(1), HasSubstr("not counted: error: cuda_new is WRONG"));
    lab_.variants[2].emulated = false;
    EXPECT_THAT(next(1), HasSubstr("speed: cuda_new was not measured"));
    EXPECT_EQ(score().tasks[1].of(), 11);
}

TEST_F(Points, answers_without_a_key_are_for_the_teacher) {
    EXPECT_EQ(next(2), "answer sectors: there is no number in answers.txt");
    write("answers.txt", "sectors = -\n");
    EXPECT_EQ(next(2), "answer sectors: there is no number in answers.txt");
    write("answers.txt", "sectors = 4\n");
    EXPECT_EQ(next(2), "");
    EXPECT_EQ(score().by_teacher(), 1 + 2);
    EXPECT_THAT(points_as_text(score()), ContainsRegex("C  analysis +-\n"));
    write("key.txt", "sectors = 3.66\n");
    EXPECT_EQ(next(2), "answer sectors: not 4");
    write("key.txt", "other = 3.66\n");
    EXPECT_THROW(score(), common::BadUsage);
}

TEST_F(Points, rules_that_are_not_as_expected_are_named) {
    write("rules.json", "{");
    EXPECT_THROW(score(), common::BadUsage);
    write("rules.json", R"({"lab": "lab7-test", "tasks": [{"id": "A"}]})");
    EXPECT_THROW(score(), common::BadUsage);
    EXPECT_THROW(score_lab(lab_, {.rules = folder_ / "nosuch.json"}), common::BadUsage);
}

TEST(Counters, are_sums_over_the_kernels_or_of_one) {
    EXPECT_EQ(counter_in(explanation, "load requests"), 200);
    EXPECT_EQ(counter_in(explanation, "load sectors/request"), 3.5);
    EXPECT_EQ(counter_in(explanation, "load sectors/request", "second"), 4);
    EXPECT_EQ(counter_in(explanation, "warps"), 12241);
    EXPECT_EQ(counter_in(explanation, "launches"), 3);
    EXPECT_EQ(counter_in(explanation, "barriers/block", "first"), 2);
    EXPECT_EQ(counter_in(explanation, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"), 700);
    EXPECT_EQ(counter_in(explanation, "bank conflicts"), 0);
    EXPECT_EQ(counter_in(explanation, "load requests", "third"), std::nullopt);
    EXPECT_EQ(counter_in("no kernel was launched\n", "load requests"), std::nullopt);
    EXPECT_THROW(counter_in(explanation, "lod requests"), common::BadUsage);
}

TEST(Answers, are_right_within_a_percent_or_an_interval) {
    EXPECT_TRUE(is_right("101", "100"));
    EXPECT_FALSE(is_right("102", "100"));
    EXPECT_TRUE(is_right("-1", "-1"));
    EXPECT_TRUE(is_right("0", "0"));
    EXPECT_TRUE(is_right("7.5", "5..10"));
    EXPECT_FALSE(is_right("10.01", "5..10"));
    EXPECT_FALSE(is_right("nan", "5..10"));
    EXPECT_FALSE(is_right("5 to 10", "5..10"));
    EXPECT_FALSE(is_right("", "5"));
    EXPECT_THROW(is_right("5", "five"), common::BadUsage);
}

}  // namespace
