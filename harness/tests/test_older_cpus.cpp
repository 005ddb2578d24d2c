// The experiment `older_cpus`: which problems and trials it makes of another experiment.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/instruction_sets.hpp"
#include "harness/device.hpp"
#include "harness/older_cpus.hpp"

namespace {

using common::InstructionSet;
using harness::BenchRequest;
using harness::Problem;

/// Two sizes, and a trial for each variant with the options of the request.
std::vector<Problem> two_sizes(const BenchRequest& request) {
    std::vector<Problem> problems(2);
    problems[0].input.width = 32;
    problems[0].input.height = 24;
    problems[1].input.width = 64;
    problems[1].input.height = 48;
    for (Problem& problem : problems) {
        for (const common::VariantInfo& info : request.variants) {
            harness::Trial& trial = problem.trials.emplace_back();
            trial.variant = info;
            trial.options = request.options;
        }
    }
    return problems;
}

BenchRequest request_of(const std::vector<std::string>& names) {
    BenchRequest request;
    for (const std::string& name : names) {
        request.variants.emplace_back().name = name;
        request.variants.back().backend = common::Backend::omp;
    }
    return request;
}

std::vector<InstructionSet> sets_of(const Problem& problem) {
    std::vector<InstructionSet> sets;
    for (const harness::Trial& trial : problem.trials) {
        sets.push_back(trial.options.limits.instruction_set);
    }
    return sets;
}

TEST(OlderCpus, takes_the_largest_images_and_omp_best_alone) {
    const auto problems = for_older_cpus(request_of({"omp_rows", "omp_best"}), two_sizes);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].input.width, 64);
    for (const harness::Trial& trial : problems[0].trials) {
        EXPECT_EQ(trial.variant.name, "omp_best");
    }
}

TEST(OlderCpus, has_a_trial_for_each_instruction_set_of_this_machine_from_the_baseline_on) {
    const auto sets = sets_of(for_older_cpus(request_of({"omp_best"}), two_sizes).at(0));
    ASSERT_FALSE(sets.empty());
    EXPECT_EQ(sets.front(), InstructionSet::baseline);
    EXPECT_TRUE(std::ranges::is_sorted(sets));
    EXPECT_EQ(std::ranges::adjacent_find(sets), sets.end());
    for (int set = 0; set <= static_cast<int>(InstructionSet::amx); ++set) {
        const auto each = static_cast<InstructionSet>(set);
        EXPECT_EQ(std::ranges::count(sets, each), common::machine_has(each) ? 1 : 0) << set;
    }
}

TEST(OlderCpus, is_empty_without_omp_best) {
    EXPECT_TRUE(for_older_cpus(request_of({"seq", "omp_rows"}), two_sizes).empty());
}

}  // namespace
