// labN-name/assignment/points.json, with one mistake at a time.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "check/rules.hpp"
#include "common/error.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path source = SOURCE;

class Rules : public testing::Test {
  protected:
    fs::path file_ = testing::TempDir() + "rules" + std::to_string(getpid()) + ".json";
    json lab1_ = json::parse(std::ifstream(source / "lab1-convolution/assignment/points.json"));

    ~Rules() override { fs::remove(file_); }

    /// The message about lab 1's rules after `change`, or "".
    std::string said_of(const std::function<void(json&)>& change, const fs::path& hidden = {}) {
        json rules = lab1_;
        change(rules);
        std::ofstream(file_) << rules;
        try {
            grading::read_rules(file_, source, hidden);
            return "";
        } catch (const common::BadUsage& error) {
            const std::string said = error.what();
            EXPECT_EQ(said.find('\n'), std::string::npos) << said;
            return said.substr(file_.string().size() + 2);
        }
    }
};

TEST_F(Rules, of_all_labs_have_no_mistakes) {
    for (const auto& folder : fs::directory_iterator(source)) {
        const fs::path file = folder.path() / "assignment/points.json";
        if (!fs::exists(file)) continue;
        EXPECT_NO_THROW(grading::read_rules(file, source)) << file;
    }
}

TEST_F(Rules, points_of_a_bonus_are_beyond_the_hundred) {
    EXPECT_TRUE(lab1_["tasks"].back().value("bonus", false));
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"].back().erase("bonus"); }),
              "the points add up to 110, not to 100");
}

TEST_F(Rules, have_no_unknown_keys) {
    EXPECT_EQ(said_of([](json& rules) { rules["task"] = json::array(); }),
              "Object contains a property that could not be validated using 'properties' or "
              "'additionalProperties' constraints: 'task'.");
    EXPECT_EQ(
        said_of([](json& rules) { rules["tasks"][0]["byhand"] = 2; }),
        "[tasks][0]: Object contains a property that could not be validated using 'properties' or "
        "'additionalProperties' constraints: 'byhand'.");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["tests"][0]["visble"] = true; }),
              "[tasks][0][tests][0]: Object contains a property that could not be validated using "
              "'properties' or 'additionalProperties' constraints: 'visble'.");
}

TEST_F(Rules, have_all_keys_of_the_right_type) {
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["speed"].erase("full"); }),
              "[tasks][0][speed]: Missing required property 'full'.");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["tests"][0]["points"] = "2"; }),
              "[tasks][0][tests][0][points]: Value type not permitted by 'type' constraint.");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["tests"][0]["points"] = -2; }),
              "[tasks][0][tests][0][points]: Expected number greater than or equal to 0.000000");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"] = "A"; }),
              "[tasks]: Value type not permitted by 'type' constraint.");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0] = 1; }),
              "[tasks][0]: Value type not permitted by 'type' constraint.");
}

TEST_F(Rules, name_what_exists) {
    EXPECT_EQ(said_of([](json& rules) { rules["lab"] = "lab9-none"; }),
              "there is no lab 'lab9-none'");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["file"] = "ladder/none.cpp"; }),
              "task A: there is no file 'ladder/none.cpp'");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["variant"] = "omp_row"; }),
              "task A: 'ladder/02_omp_rows.cpp' is not the file of a variant 'omp_row'");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["speed"]["against"] = "opencv"; }),
              "task A: there is no variant 'opencv'");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["tests"][0]["name"] = "size"; }),
              "task A: there is no test 'size'");
    EXPECT_EQ(said_of([](json& rules) { rules["simplest"]["kernel"] = "cuda_none"; }),
              "there is no variant 'cuda_none'");
    EXPECT_EQ(said_of([](json& rules) {
                  rules["compare"] = json::parse(R"([{"variants": [], "against": "slow"}])");
              }),
              "there is no variant 'slow'");
}

TEST_F(Rules, may_name_a_hidden_test) {
    const fs::path hidden = testing::TempDir() + "hidden" + std::to_string(getpid());
    fs::create_directories(hidden);
    std::ofstream(hidden / "more.cpp") << "TEST_P(ConvolutionTest, mine) {}\n";
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["tests"][0]["name"] = "mine"; }, hidden),
              "");
    fs::remove_all(hidden);
}

TEST_F(Rules, have_100_points) {
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["tests"][0]["points"] = 3; }),
              "the points add up to 101, not to 100");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][1]["counters"][0]["counter"] = "warp"; }),
              "task B: there is no counter 'warp'");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][1]["counters"][0]["points"] = 3; }),
              "task B: the counters have 3 points, not 4 as the speed");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][0]["speed"]["floor"] = 9; }),
              "task A: 'floor' has to be less than 'full'");
    EXPECT_EQ(said_of([](json& rules) { rules["tasks"][1]["id"] = "A"; }),
              "task A: another task has this id");
}

TEST_F(Rules, require_a_counter_with_one_limit) {
    const auto said = [&](const json& more) {
        return said_of([&](json& rules) {
            json rule{{"counter", "warps"}, {"input", "random:8x8"}};
            rule.update(more);
            rules["tasks"][2]["requires"] = {rule};
        });
    };
    EXPECT_EQ(said({{"at_least", 2}}), "");
    EXPECT_NE(said(json::object()), "");
    EXPECT_NE(said({{"at_least", 2}, {"at_most", 3}}), "");
    EXPECT_EQ(said({{"at_least", 2}, {"counter", "warp"}}), "task C: there is no counter 'warp'");
}

TEST_F(Rules, are_json) {
    std::ofstream(file_) << "{";
    EXPECT_THROW(grading::read_rules(file_, source), common::BadUsage);
    EXPECT_THROW(grading::read_rules(file_ / "none", source), common::BadUsage);
}

}  // namespace
