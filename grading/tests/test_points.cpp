#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "check/answers.hpp"
#include "check/output.hpp"
#include "check/wanted.hpp"
#include "common/error.hpp"

namespace {

using grading::GradedVariant;
using nlohmann::json;

json test(const std::string& name, const std::string& outcome, bool hidden = false) {
    return {{"name", name},  {"outcome", outcome}, {"reason", "a reason"},
            {"picture", ""}, {"hidden", hidden},   {"ms", 1.0}};
}

GradedVariant graded(const std::vector<json>& tests, const std::vector<json>& speeds = {}) {
    GradedVariant variant{"omp_rows", "02_omp_rows.cpp", "", ""};
    conclude(variant, {{"tests", tests}, {"speeds", speeds}});
    return variant;
}

TEST(Points, are_shown_against_the_simplest_variant_or_what_the_rules_name) {
    const grading::LabFacts lab{7, "lab7-x", "seq", "cuda_first"};
    const json points = json::parse(R"({"tasks": [], "compare": [
        {"variants": ["omp_slow"], "against": "seq_naive", "where": {"width": "9"}}]})");
    const auto shown = [&](const char* variant, const json& rules) {
        return speeds_of(lab, variant, rules).at(0);
    };
    EXPECT_EQ(shown("omp_rows", points).at("against"), "seq");
    EXPECT_EQ(shown("cuda_any", points).at("against"), "cuda_first");
    EXPECT_EQ(shown("omp_slow", points).at("against"), "seq_naive");
    EXPECT_EQ(shown("omp_slow", points).at("where"), json({{"width", "9"}}));
    EXPECT_EQ(shown("omp_slow", nullptr).at("against"), "seq");
}

TEST(Points, want_the_same_measured_whatever_their_limits) {
    const grading::LabFacts lab{7, "lab7-x", "seq", "cuda_first"};
    const json points = json::parse(R"({"tasks": [{"id": "A", "title": "", "variant": "cuda_a",
        "tests": [{"name": "sizes", "points": 1}], "by_hand": 1,
        "speed": {"points": 5, "against": "cuda_b", "floor": 1, "full": 2},
        "counters": [{"counter": "warps", "input": "random:8x8", "at_most": 9, "points": 5}]}]})");
    const auto measured = [&](const json& patch, bool with_speeds) {
        return measured_of(lab, "cuda_a", points.patch(json::array({patch})), with_speeds);
    };
    const auto changed = [&](const char* place, const json& value, bool with_speeds = true) {
        const std::string path = std::string("/tasks/0/") + place;
        return measured({{"op", "add"}, {"path", path}, {"value", value}}, with_speeds) !=
               measured_of(lab, "cuda_a", points, with_speeds);
    };
    for (const char* place : {"title", "by_hand", "tests/0/points", "speed/floor", "speed/full",
                              "speed/points", "speed/tests_from", "counters/0/at_most",
                              "counters/0/points", "counters/0/bytes_per_thread"}) {
        EXPECT_FALSE(changed(place, 3)) << place;
    }
    EXPECT_TRUE(changed("variant", "cuda_c", false));
    EXPECT_TRUE(changed("speed/where", {{"filter", "box3"}}));
    EXPECT_TRUE(changed("speed/against", "cuda_c"));
    EXPECT_FALSE(changed("speed/against", "cuda_c", false)) << "tests measure no speed";
    for (const char* place : {"counter", "input", "options", "kernel"}) {
        EXPECT_TRUE(changed((std::string("counters/0/") + place).c_str(), "x", false)) << place;
    }
    EXPECT_TRUE(changed("requires", {{{"counter", "blocks"}, {"input", "random:8x8"}}}, false));
    EXPECT_EQ(measured_of(lab, "cuda_a", nullptr, false).at("counters"), json::array());
}

TEST(Points, of_a_speed_are_linear_between_floor_and_full) {
    EXPECT_EQ(grading::speed_points(1.19, 1.2, 2.2, 10), 0);
    EXPECT_NEAR(grading::speed_points(1.75, 1.2, 2.2, 10), 5.5, 1e-9);
    EXPECT_EQ(grading::speed_points(2.2, 1.2, 2.2, 10), 10);
    EXPECT_EQ(grading::speed_points(99, 1.2, 2.2, 10), 10);
    EXPECT_EQ(grading::speed_points(std::nan(""), 1.2, 2.2, 10), 0);
}

/// The cases that driver/tests/test_points.py checks too: `--points` has the same rules.
json shared_cases() {
    std::ifstream in(SOURCE "/harness/tests/rules.json");
    return json::parse(in);
}

TEST(Points, of_a_speed_are_those_of_the_driver) {
    const json cases = shared_cases()["speed_points"];
    EXPECT_GE(cases.size(), 8);
    for (const json& c : cases) {
        EXPECT_NEAR(grading::speed_points(c[0], c[1], c[2], c[3]), c[4].get<double>(), 1e-9) << c;
    }
}

TEST(Answers, are_right_as_in_the_driver) {
    const json cases = shared_cases()["answers"];
    EXPECT_GE(cases.size(), 10);
    for (const json& c : cases) {
        EXPECT_EQ(grading::is_right(c[0], c[1]), c[2].get<bool>()) << c;
    }
    EXPECT_THROW(grading::is_right("5", "five"), common::BadUsage);
}

TEST(Points, of_a_speed_need_a_gain_of_threads) {
    const json rules{
        {"tasks",
         {{{"id", "A"},
           {"title", ""},
           {"variant", "omp_rows"},
           {"speed", {{"points", 5}, {"against", "seq"}, {"floor", 0.25}, {"full", 0.5}}}}}}};
    const auto points = [&](const json& gain) {
        json speed{{"outcome", "right"},
                   {"reason", ""},
                   {"against", "seq"},
                   {"where", json::object()},
                   {"speedup", 1.0}};
        speed.update(gain);
        return grading::items_of({graded({test("sizes", "right")}, {speed})}, rules, {}).at(0);
    };
    EXPECT_EQ(points(json::object()).points, 5);
    EXPECT_EQ(points({{"gain", 1.8}}).points, 5);
    EXPECT_EQ(points({{"gain", 1.01}}).points, 0);
    EXPECT_NE(points({{"gain", 1.01}}).text.find("1.01 times as fast as with one thread"),
              std::string::npos);
}

TEST(Points, rise_without_jumps) {
    double before = 0;
    for (double ratio = 1.1; ratio < 2.3; ratio += 0.001) {
        const double points = grading::speed_points(ratio, 1.2, 2.2, 10);
        EXPECT_GE(points, before);
        EXPECT_LE(points, before + 0.1 + 1e-9) << ratio;
        before = points;
    }
}

TEST(Verdict, is_that_of_the_first_test_that_was_not_passed) {
    EXPECT_EQ(graded({test("a", "right"), test("b", "skipped")}).verdict, "right");
    const GradedVariant wrong =
        graded({test("a", "right"), test("b", "timeout"), test("c", "wrong")});
    EXPECT_EQ(wrong.verdict, "timeout");
    EXPECT_EQ(wrong.reason, "b: a reason");
}

TEST(Verdict, names_a_check_that_could_not_run) {
    json races = test("races", "skipped");
    races["reason"] = "not checked: no memory";
    const GradedVariant variant = graded({races, test("a", "right")});
    EXPECT_EQ(variant.verdict, "right");
    EXPECT_EQ(variant.not_checked, "races: not checked: no memory");
    EXPECT_EQ(graded({test("a", "right"), test("b", "skipped")}).not_checked, "");
}

TEST(Verdict, is_refused_if_no_test_was_passed) {
    EXPECT_EQ(graded({test("a", "skipped")}).verdict, "refused");
    EXPECT_EQ(graded({}).verdict, "refused");
}

TEST(Verdict, is_that_of_a_measurement_after_right_tests) {
    const std::vector<json> fast{
        json{{"outcome", "implausible"}, {"reason", "too fast"}, {"speedup", 99.0}}};
    EXPECT_EQ(graded({test("a", "right")}, fast).verdict, "implausible");
    EXPECT_EQ(graded({test("a", "wrong")}, fast).verdict, "wrong");
}

TEST(Verdict, says_nothing_of_a_hidden_test_but_its_name) {
    const GradedVariant variant = graded({test("secret", "wrong", true)});
    EXPECT_EQ(variant.reason, "secret: a hidden test");
    EXPECT_EQ(variant.tests[0].reason, "a hidden test");
}

const json lab{{"tasks",
                {{{"id", "A"},
                  {"variant", "omp_rows"},
                  {"tests", {{{"name", "a"}, {"points", 2}}, {{"name", "b"}, {"points", 3}}}},
                  {"speed", {{"points", 5}, {"against", "seq"}, {"floor", 1.0}, {"full", 2.0}}},
                  {"by_hand", 4}}}}};

double points_of(const std::vector<GradedVariant>& variants) {
    double sum = 0;
    for (const grading::Item& item : grading::items_of(variants, lab, {})) sum += item.points;
    return sum;
}

const std::vector<json> twice{json{{"outcome", "right"},
                                   {"reason", ""},
                                   {"against", "seq"},
                                   {"where", json::object()},
                                   {"speedup", 2.5}}};

TEST(Items, give_points_for_tests_and_for_speed) {
    EXPECT_EQ(points_of({graded({test("a", "right"), test("b", "right")}, twice)}), 10);
    EXPECT_EQ(points_of({graded({test("a", "right"), test("b", "right")})}), 5);
}

TEST(Items, give_no_points_for_speed_if_something_is_wrong) {
    EXPECT_EQ(points_of({graded({test("a", "right"), test("b", "wrong")}, twice)}), 2);
}

TEST(Items, leave_the_speed_to_a_person_if_nobody_knows_whether_there_is_a_race) {
    json races = test("races", "skipped");
    races["reason"] = "not checked: no memory";
    const auto variant = graded({races, test("a", "right"), test("b", "right")}, twice);
    EXPECT_EQ(points_of({variant}), 5);
    const auto speed = grading::items_of({variant}, lab, {}).at(2);
    EXPECT_TRUE(speed.by_hand);
    EXPECT_EQ(speed.text, "races: not checked: no memory");
}

TEST(Items, leave_the_tests_of_a_kernel_to_a_person_if_an_access_was_not_seen) {
    json accesses = test("accesses", "skipped");
    accesses["reason"] = "not checked: mine.cu:7 passes a struct in memory by value";
    GradedVariant variant = graded({accesses, test("a", "right"), test("b", "wrong")});
    EXPECT_EQ(points_of({variant}), 2);
    variant.gpu = "emulated";
    EXPECT_EQ(points_of({variant}), 0);
    const auto items = grading::items_of({variant}, lab, {});
    EXPECT_TRUE(items.at(0).by_hand);
    EXPECT_EQ(items.at(0).text, variant.not_checked);
    EXPECT_FALSE(items.at(1).by_hand);
}

TEST(Items, give_no_points_for_what_was_skipped_or_not_handed_in) {
    EXPECT_EQ(points_of({graded({test("a", "skipped"), test("b", "skipped")})}), 0);
    EXPECT_EQ(points_of({}), 0);
}

TEST(Items, leave_explanations_to_a_person) {
    int by_hand = 0;
    for (const grading::Item& item : grading::items_of({}, lab, {}))
        by_hand += item.by_hand ? 1 : 0;
    EXPECT_EQ(by_hand, 1);
}

TEST(Items, leave_ranks_to_the_student_s_machine) {
    const json rules{{"tasks",
                      {{{"id", "G"},
                        {"variant", "mpi_rows"},
                        {"tests", {{{"name", "a"}, {"points", 8}}}},
                        {"by_hand", 2}}}}};
    const auto items = grading::items_of({}, rules, {});
    ASSERT_EQ(items.size(), 1u);
    EXPECT_TRUE(items[0].by_hand);
    EXPECT_EQ(items[0].most, 0);
    EXPECT_NE(items[0].text.find("up to 10 points"), std::string::npos) << items[0].text;
}

/// The only answer, whose key is 101..109 (or what `key` says).
grading::Item answer(const std::string& content, const std::string& key = "x = 101..109\n") {
    const std::string file = testing::TempDir() + "key" + std::to_string(getpid());
    std::ofstream(file) << key;
    const json rules{{"tasks", {{{"id", "F"}, {"answers", {{{"name", "x"}, {"points", 3}}}}}}}};
    const auto items = grading::items_of({}, rules, grading::read_answers(content, file));
    std::filesystem::remove(file);
    EXPECT_EQ(items.size(), 1u);
    return items.at(0);
}

TEST(Answers, give_points_if_they_are_as_in_the_key) {
    for (const char* right : {"x = 105 # mine\n", " x=101\r\n", "y = 1\nx = 1.09e2"}) {
        EXPECT_EQ(answer(right).points, 3) << right;
        EXPECT_FALSE(answer(right).by_hand);
    }
    for (const char* wrong :
         {"", "x", "x = ", "x = -", "x = 110", "x = 101..109", "x = nan", "x = inf", "x = 0x69",
          "x = 105 106", "x = 1e999", "# x = 105", "=105", "x = 105\nx = 1"}) {
        EXPECT_EQ(answer(wrong).points, 0) << wrong;
        EXPECT_FALSE(answer(wrong).by_hand);
    }
}

TEST(Answers, that_are_no_numbers_are_named) {
    const char* const why = " is not a number: use a point and no separators";
    for (const std::string said : {"3,760", "718,200", "1 05", "1'05", "1_05", "105 ms", "0x69",
                                   "\uff11\uff10\uff15", "about 105", "1.0.5", "+105"}) {
        EXPECT_NE(answer("x = " + said).text.find(why), std::string::npos) << said;
        const grading::Item by_hand = answer("x = " + said, "");
        EXPECT_TRUE(by_hand.by_hand);
        EXPECT_NE(by_hand.text.find(why), std::string::npos) << said;
    }
    EXPECT_EQ(answer("x = 1.5e3").text, "not 1.5e3");
    EXPECT_EQ(answer("\xef\xbb\xbfx = 105\r\n").points, 3);
}

TEST(Tasks, are_named_in_each_line_of_points) {
    const json rules{
        {"tasks",
         {{{"id", "A"}, {"variant", "omp_rows"}, {"tests", {{{"name", "sizes"}, {"points", 3}}}}},
          {{"id", "F"}, {"title", "analysis"}, {"by_hand", 2}}}}};
    grading::Grade grade{.lab = "lab1", .variants = {}, .items = {}, .facts = {}};
    grade.items = grading::items_of({graded({test("sizes", "right")})}, rules, {});
    const json tests = grading::results_of(grade).at("tests");
    ASSERT_EQ(tests.size(), 2u);
    EXPECT_EQ(tests[0]["extra_data"]["task"], "A");
    EXPECT_EQ(tests[1]["extra_data"]["task"], "F");
}

TEST(Tasks, have_a_variant_or_answers_only) {
    const json rules{{"tasks", {{{"id", "A"}, {"variant", "omp_rows"}}, {{"id", "F"}}}}};
    EXPECT_EQ(grading::variant_of_task("A", rules), "omp_rows");
    EXPECT_EQ(grading::variant_of_task("F", rules), "");
    EXPECT_THROW(grading::variant_of_task("G", rules), common::BadUsage);
}

TEST(Answers, do_not_show_the_key) {
    for (const char* given : {"x = 7", "x = ", ""}) {
        const std::string text = answer(given).text;
        EXPECT_EQ(text.find("101"), std::string::npos) << text;
        EXPECT_EQ(text.find("109"), std::string::npos) << text;
    }
    EXPECT_LT(answer("x = " + std::string(10'000, '7')).text.size(), 100u);
}

TEST(Answers, are_left_to_a_person_without_a_key_only) {
    EXPECT_TRUE(answer("x = 105", "").by_hand);
    EXPECT_THROW(answer("x = 105", "y = 1\n"), common::BadUsage);
}

}  // namespace
