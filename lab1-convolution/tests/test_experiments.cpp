// Tests which variants the experiments give rows to.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "lab.hpp"

namespace {

using testing::UnorderedElementsAre;

/// The blocks that each variant gets in a problem; "" is its own.
using Blocks = std::map<std::string, std::multiset<std::string>>;

/// All problems of an experiment with all variants, built or not.
std::vector<harness::Problem> problems(const std::string& experiment, bool full,
                                       std::optional<common::Block> block = {}) {
    const harness::Lab lab = convolution::make_lab();
    harness::BenchRequest request{
        .options = {.block = block}, .full = full, .variants = lab.variants};
    for (const harness::Experiment& each : lab.experiments) {
        if (each.name == experiment) return each.problems(request);
    }
    throw std::out_of_range(experiment);
}

Blocks blocks_of(const harness::Problem& problem) {
    Blocks blocks;
    for (const harness::Trial& trial : problem.trials) {
        const auto& block = trial.options.block;
        blocks[trial.variant.name].insert(block ? to_string(*block) : "");
    }
    return blocks;
}

TEST(Experiments, resolutions_has_the_best_variants_with_their_own_block) {
    for (const harness::Problem& problem : problems("resolutions", true)) {
        const Blocks blocks = blocks_of(problem);
        for (const char* name : {"seq", "omp_best", "cuda_registers", "cuda_best", "peer_npp"}) {
            ASSERT_TRUE(blocks.contains(name)) << name;
            EXPECT_THAT(blocks.at(name), UnorderedElementsAre("")) << name;
        }
        EXPECT_EQ(blocks.at("cuda_per_pixel").size(), 7u);
    }
}

TEST(Experiments, a_block_from_the_command_line_is_for_those_that_take_it) {
    for (const harness::Problem& problem : problems("resolutions", false, common::Block{8, 4})) {
        EXPECT_THAT(blocks_of(problem).at("cuda_shared"), UnorderedElementsAre("8x4"));
        EXPECT_THAT(blocks_of(problem).at("cuda_best"), UnorderedElementsAre(""));
    }
}

TEST(Experiments, masks_has_every_variant_of_the_ladder) {
    const Blocks of_3x3 = blocks_of(problems("masks", true).front());
    const Blocks of_15x15 = blocks_of(problems("masks", true).back());
    for (const char* name : {"omp_best", "cuda_registers", "cuda_best"}) {
        EXPECT_TRUE(of_3x3.contains(name) && of_15x15.contains(name)) << name;
    }
    EXPECT_TRUE(of_3x3.contains("seq"));
    EXPECT_FALSE(of_15x15.contains("seq"));
    EXPECT_FALSE(of_3x3.contains("cuda_global_mask"));
}

TEST(Experiments, ladder_has_every_rung_and_library_with_its_own_block) {
    const auto all = problems("ladder", true);
    ASSERT_EQ(all.size(), 2u);
    for (const harness::Problem& problem : all) {
        EXPECT_EQ(problem.input.width, 7680);
        EXPECT_EQ(problem.input.height, 4320);
        Blocks expected;
        for (const common::VariantInfo& info : convolution::make_lab().variants) {
            expected[info.name] = {""};
        }
        expected.erase("cuda_constant_symbol");  // they have an experiment of their own
        expected.erase("cuda_global_mask");
        EXPECT_EQ(blocks_of(problem), expected);
    }
    EXPECT_EQ(problems("ladder", false).front().input.width, 960);
}

TEST(Experiments, constant_memory_has_the_three_memory_spaces) {
    const auto all = problems("constant_memory", true);
    ASSERT_EQ(all.size(), 7u);
    for (const harness::Problem& problem : all) {
        EXPECT_EQ(blocks_of(problem), (Blocks{{"cuda_per_pixel", {""}},
                                              {"cuda_constant_symbol", {""}},
                                              {"cuda_global_mask", {""}}}));
    }
}

}  // namespace
