#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "check/answers.hpp"
#include "common/error.hpp"
#include "judge/counts.hpp"

namespace {

using grading::counter_value;
using grading::Counts;
using grading::why_implausible;
using nlohmann::json;

constexpr std::size_t bytes = 4096;  ///< of the input, and of the output

/// A kernel that copies `bytes` in words.
Counts copy(std::string_view name) {
    Counts counts;
    counts.kernels = 1;
    grading::CountedKernel& kernel = counts.kernel[0];
    std::ranges::copy(name, kernel.name.begin());
    kernel.launches = 1;
    kernel.blocks = 4;
    kernel.warps = 32;
    kernel.barriers = 8;
    kernel.accesses[0][0] = {bytes / 128, bytes / 32, 0, 0, bytes};
    kernel.accesses[0][1] = kernel.accesses[0][0];
    return counts;
}

TEST(Counts, have_the_names_of_run_explain) {
    const Counts counts = copy("copy");
    EXPECT_EQ(counter_value(counts, "warps", ""), 32);
    EXPECT_EQ(counter_value(counts, "load requests", "copy"), 32);
    EXPECT_EQ(counter_value(counts, "store sectors/request", ""), 4);
    EXPECT_EQ(counter_value(counts, "barriers/block", ""), 2);
    EXPECT_EQ(counter_value(counts, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", ""), 128);
    EXPECT_EQ(counter_value(counts, "warps", "another"), 0);
    EXPECT_THROW(counter_value(counts, "loads", ""), common::BadUsage);
}

TEST(Counts, of_loads_and_stores_have_atomic_functions) {
    Counts counts = copy("copy");
    counts.kernel[0].accesses[0][2] = {100, 200, 0, 0, 400};
    EXPECT_EQ(counter_value(counts, "load requests", ""), 132);
    EXPECT_EQ(counter_value(counts, "store sectors", ""), 328);
    EXPECT_EQ(counter_value(counts, "atomic requests", ""), 100);
    EXPECT_EQ(counter_value(counts, "l1tex__t_requests_pipe_lsu_mem_global_op_ld", ""), 32);
}

TEST(Counts, of_a_threads_bytes_are_those_of_all_kernels) {
    Counts counts = copy("copy");
    counts.kernels = 2;
    counts.kernel[0].most_stored = counts.kernel[1].most_stored = 16;
    EXPECT_EQ(grading::most_stored(counts), 32);
}

TEST(Counts, add_up_over_the_kernels_of_a_name) {
    Counts counts = copy("copy");
    counts.kernels = 3;
    counts.kernel[1] = counts.kernel[2] = counts.kernel[0];
    counts.kernel[2].name[0] = 'x';
    EXPECT_EQ(counter_value(counts, "warps", "copy"), 64);
    EXPECT_EQ(counter_value(counts, "warps", ""), 96);
}

TEST(Counts, of_a_kernel_that_reads_and_writes_all_are_plausible) {
    EXPECT_EQ(why_implausible(copy("copy"), "copy", bytes, bytes), "");
    EXPECT_NE(why_implausible(copy("copy"), "another", bytes, bytes), "");
    EXPECT_NE(why_implausible(copy("copy"), "", bytes + 1, bytes), "");
    EXPECT_NE(why_implausible(copy("copy"), "", bytes, bytes + 1), "");
    EXPECT_NE(why_implausible({}, "", bytes, bytes), "");
}

TEST(Counts, that_are_less_than_the_bytes_need_are_implausible) {
    Counts counts = copy("copy");
    counts.kernel[0].accesses[0][0].requests = 1;
    EXPECT_NE(why_implausible(counts, "", bytes, bytes), "");
    counts = copy("copy");
    counts.kernel[0].accesses[0][0].sectors = 1;
    EXPECT_NE(why_implausible(counts, "", bytes, bytes), "");
}

TEST(Counts, that_a_worker_made_up_do_no_harm) {
    Counts counts = copy("copy");
    counts.kernels = 0xffffffff;
    counts.kernel.back().name.fill('x');  // without an end
    EXPECT_EQ(counter_value(counts, "warps", "copy"), 32);
    EXPECT_EQ(why_implausible(counts, "copy", bytes, bytes), "");
}

// --- their points ------------------------------------------------------------------------------

const json rule{{"counter", "warps"}, {"input", "random:8x8"}, {"at_most", 40}, {"points", 5}};
const json rules_of_counts{
    {"tasks",
     {{{"id", "B"},
       {"variant", "cuda_mine"},
       {"speed", {{"points", 5}, {"against", "first"}, {"floor", 1.0}, {"full", 2.0}}},
       {"counters", {rule}}}}}};

grading::Item item_of(const json& counted, const std::string& gpu = "emulated") {
    grading::GradedVariant variant{"cuda_mine", "cuda_mine.cu", "", ""};
    const json test{{"name", "a"},   {"outcome", "right"}, {"reason", ""},
                    {"picture", ""}, {"hidden", false},    {"ms", 1.0}};
    conclude(variant,
             {{"tests", {test}}, {"speeds", json::array()}, {"gpu", gpu}, {"counters", counted}});
    return grading::items_of({variant}, rules_of_counts, {}).front();
}

json counted(double value, const std::string& reason = "") {
    return json::array({{{"rule", rule}, {"value", value}, {"reason", reason}}});
}

TEST(Items, give_points_for_counters_up_to_their_limit) {
    EXPECT_EQ(item_of(counted(40)).points, 5);
    EXPECT_EQ(item_of(counted(41)).points, 0);
    EXPECT_EQ(item_of(counted(40, "implausible")).points, 0);
    EXPECT_TRUE(item_of(counted(40, "implausible")).by_hand);
    EXPECT_FALSE(item_of(counted(41, "implausible")).by_hand);
    EXPECT_EQ(item_of(json::array()).points, 0);
    EXPECT_EQ(item_of(counted(40)).name, "warps");
    EXPECT_EQ(item_of(counted(40)).text, "40 for random:8x8, at most 40");
    EXPECT_FALSE(item_of(counted(41)).by_hand);
}

TEST(Items, give_no_points_for_counters_where_one_thread_does_everything) {
    json alone = counted(40);
    alone[0]["most_stored"] = 4097;
    EXPECT_EQ(item_of(alone).points, 0);
    EXPECT_FALSE(item_of(alone).by_hand);
    alone[0]["most_stored"] = 4096;
    EXPECT_EQ(item_of(alone).points, 5);
}

/// The test `a` of a task with these keys more, right but for `verdict`.
grading::Item test_item_of(const json& task, const json& counted, const std::string& gpu,
                           const std::vector<json>& speeds = {}) {
    grading::GradedVariant variant{"cuda_mine", "cuda_mine.cu", "", ""};
    const json test{{"name", "a"},   {"outcome", "right"}, {"reason", ""},
                    {"picture", ""}, {"hidden", false},    {"ms", 1.0}};
    conclude(variant, {{"tests", {test}}, {"speeds", speeds}, {"gpu", gpu}, {"counters", counted}});
    json rules{{"id", "C"}, {"variant", "cuda_mine"}, {"tests", {{{"name", "a"}, {"points", 3}}}}};
    rules.update(task);
    return grading::items_of({variant}, {{"tasks", {rules}}}, {}).front();
}

TEST(Items, give_points_for_tests_of_the_algorithm_of_the_task) {
    const json least{{"counter", "barriers/block"}, {"input", "random:8x8"}, {"at_least", 2}};
    const json task{{"requires", {least}}};
    const auto counted = [&](const json& value) {
        json result{{"rule", least}, {"reason", ""}};
        result.update(value);
        return json::array({result});
    };
    EXPECT_EQ(test_item_of(task, counted({{"value", 2}}), "emulated").points, 3);
    const grading::Item given = test_item_of(task, counted({{"value", 1}}), "emulated");
    EXPECT_EQ(given.points, 0);
    EXPECT_FALSE(given.by_hand);
    EXPECT_EQ(given.text,
              "not the algorithm of the task: barriers/block 1 for random:8x8, at least 2");
    EXPECT_EQ(test_item_of(task, counted({{"reason", "crash"}}), "emulated").points, 0);
    for (const auto& [result, gpu] :
         {std::pair{counted({{"value", 2}, {"reason", "fewer"}}), "emulated"},
          {json::array(), "emulated"},
          {json::array(), "copies"}}) {
        EXPECT_TRUE(test_item_of(task, result, gpu).by_hand) << gpu;
        EXPECT_EQ(test_item_of(task, result, gpu).points, 0) << gpu;
    }
    json timed = task;
    timed["speed"] = {{"points", 1}, {"against", "seq"}, {"floor", 1}, {"full", 2}};
    EXPECT_EQ(test_item_of(timed, json::array(), "copies").points, 3);
}

TEST(Items, give_points_for_tests_to_what_is_faster_than_the_given_variant) {
    const json task{
        {"speed",
         {{"points", 1}, {"against", "given"}, {"floor", 2}, {"full", 3}, {"tests_from", 1.1}}}};
    const auto item = [&](double ratio, const char* outcome = "right") {
        const json speed{{"outcome", outcome},
                         {"reason", ""},
                         {"against", "given"},
                         {"where", json::object()},
                         {"speedup", ratio}};
        return test_item_of(task, json::array(), "", {speed});
    };
    EXPECT_EQ(item(1.2).points, 3);
    EXPECT_EQ(item(1.0).points, 0);
    EXPECT_FALSE(item(1.0).by_hand);
    EXPECT_NE(item(1.0).text.find("needs 1.1 times the speed of given, and has 1.00 times"),
              std::string::npos);
    EXPECT_TRUE(item(9, "wrong").by_hand);
    EXPECT_TRUE(test_item_of(task, json::array(), "").by_hand);
    EXPECT_EQ(test_item_of(task, json::array(), "").points, 0);
}

TEST(Items, leave_counters_alone_on_a_gpu) {
    EXPECT_EQ(item_of(counted(40), "copies").name, "speed");
    EXPECT_TRUE(item_of(counted(40), "copies").by_hand);
    EXPECT_EQ(item_of(counted(40), "shared allocations").name, "speed");
}

}  // namespace
