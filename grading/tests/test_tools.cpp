#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "check/lanes.hpp"
#include "check/tools.hpp"

namespace {

using grading::Compiled;
using grading::MachineFault;

/// A compiler that says these things, one after the other, and counts its calls.
struct Script {
    std::vector<Compiled> answers;
    std::size_t calls = 0;
    int checks = 0;
    bool tools_work = true;

    Compiled run() {
        return grading::compiled_fairly([this] { return answers.at(calls++); },
                                        [this] {
                                            ++checks;
                                            if (!tools_work) throw MachineFault("no assembler");
                                        });
    }
};

TEST(Tools, are_not_tried_for_what_compiles) {
    Script script{{{}}};
    EXPECT_TRUE(script.run().ok());
    EXPECT_EQ(script.checks, 0);
}

TEST(Tools, that_do_not_work_are_no_fault_of_the_file) {
    Script script{.answers = {{"Killed"}}, .tools_work = false};
    EXPECT_THROW(script.run(), MachineFault);
}

TEST(Tools, that_failed_once_give_a_second_chance) {
    Script script{{{"Killed"}, {}}};
    EXPECT_TRUE(script.run().ok());
    EXPECT_EQ(script.checks, 1);
}

TEST(Tools, that_fail_twice_alike_and_work_otherwise_say_the_truth) {
    Script script{{{"no ';'"}, {"no ';'"}}};
    EXPECT_EQ(script.run().said, "no ';'");
    EXPECT_EQ(script.checks, 1);
    Script other{{{"no ';'"}, {"Killed"}}};
    EXPECT_EQ(other.run().said, "Killed");
    EXPECT_EQ(other.checks, 2);
}

TEST(Tools, have_no_second_chance_after_their_time) {
    Script script{{{"its time was over", true}}};
    EXPECT_FALSE(script.run().ok());
    EXPECT_EQ(script.calls, 1);
}

TEST(Shares, are_what_is_left_for_those_that_are_left) {
    EXPECT_DOUBLE_EQ(grading::share_of(600, 4, 1), 150);
    EXPECT_DOUBLE_EQ(grading::share_of(600, 4, 2), 300);
    EXPECT_DOUBLE_EQ(grading::share_of(600, 1, 2), 600);
    EXPECT_DOUBLE_EQ(grading::share_of(-1, 3, 2), 0);
}

TEST(Lanes, do_all_items_once) {
    std::atomic<int> sum{0};
    grading::share_work(2, 100, [&](std::size_t lane, std::size_t item) {
        EXPECT_LT(lane, 2);
        sum += static_cast<int>(item);
    });
    EXPECT_EQ(sum, 4950);
}

TEST(Lanes, begin_nothing_after_a_failure) {
    std::atomic<int> count{0};
    const auto work = [&](std::size_t, std::size_t) {
        ++count;
        throw std::runtime_error("no");
    };
    EXPECT_THROW(grading::share_work(2, 100, work), std::runtime_error);
    EXPECT_LE(count, 2);
}

}  // namespace
