// Tests which variants the experiments give rows to.

#include <gtest/gtest.h>

#include <set>

#include "lab.hpp"

namespace {

std::vector<harness::Problem> problems(const std::string& experiment, bool full,
                                       const std::vector<common::VariantInfo>& variants,
                                       int threads = 1) {
    harness::BenchRequest request{.options = {}, .full = full, .variants = variants};
    request.options.threads = threads;
    for (const harness::Experiment& each : integral::make_lab().experiments) {
        if (each.name == experiment) return each.problems(request);
    }
    return {};
}

/// The variants of this build that are in every problem of an experiment.
std::set<std::string> in_every_problem(const std::string& experiment) {
    const harness::Lab lab = integral::make_lab();
    harness::BenchRequest request{.options = {}, .full = true, .variants = lab.variants};
    std::erase_if(request.variants, [](const auto& info) { return !info.not_built.empty(); });
    std::set<std::string> everywhere;
    for (const common::VariantInfo& info : request.variants) everywhere.insert(info.name);
    for (const harness::Experiment& each : lab.experiments) {
        if (each.name != experiment) continue;
        for (const harness::Problem& problem : each.problems(request)) {
            std::set<std::string> here;
            for (const harness::Trial& trial : problem.trials) here.insert(trial.variant.name);
            std::erase_if(everywhere,
                          [&](const std::string& name) { return !here.contains(name); });
        }
    }
    return everywhere;
}

TEST(Experiments, the_best_variants_are_compared) {
    for (const char* experiment : {"comparison", "large", "limit"}) {
        const auto variants = in_every_problem(experiment);
        EXPECT_TRUE(variants.contains("seq_scan") && variants.contains("omp_best")) << experiment;
        EXPECT_EQ(variants.contains("cuda_best"), variants.contains("cuda_scan")) << experiment;
    }
    EXPECT_TRUE(in_every_problem("comparison").contains("seq_naive"));
    EXPECT_FALSE(in_every_problem("large").contains("seq_naive"));
}

/// A staircase lacks no rung: all linear variants, libraries included.
TEST(Experiments, ladder_has_every_linear_variant) {
    const auto all = integral::make_lab().variants;
    std::set<std::string> linear;
    for (const integral::Variant& variant : integral::variants()) {
        if (variant.cost == integral::Cost::linear) linear.insert(variant.name);
    }
    ASSERT_TRUE(linear.contains("omp_strips") && linear.contains("cuda_lines"));
    const auto full = problems("ladder", true, all);
    ASSERT_EQ(full.size(), 2u);
    for (const harness::Problem& problem : full) {
        EXPECT_EQ(problem.input.width, 8192);
        EXPECT_EQ(problem.input.height, 8192);
        std::set<std::string> here;
        for (const harness::Trial& trial : problem.trials) here.insert(trial.variant.name);
        EXPECT_EQ(here, linear);
    }
    EXPECT_EQ(full[0].input.max_value, 31);  // the sums have 32 bits
    EXPECT_EQ(full[1].input.max_value, 255);
    EXPECT_EQ(problems("ladder", false, all).at(0).input.width, 1024);
}

/// 10 threads are in the list already.
TEST(Experiments, omp_threads_has_each_number_of_threads_once) {
    const auto quick = problems("omp_threads", false, integral::make_lab().variants, 10);
    ASSERT_EQ(quick.size(), 4u);
    for (const harness::Problem& problem : quick) {
        std::multiset<std::string> trials;
        for (const harness::Trial& trial : problem.trials) {
            trials.insert(trial.variant.name + ";" + trial.parameters);
        }
        const std::multiset<std::string> expected{"seq_naive;max_pixel=255;threads=1",
                                                  "omp_outer;max_pixel=255;threads=10",
                                                  "omp_outer;max_pixel=255;threads=100"};
        EXPECT_EQ(trials, expected);
    }
}

}  // namespace
