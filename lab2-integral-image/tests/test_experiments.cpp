// Which variants the experiments give rows to.

#include <gtest/gtest.h>

#include <set>

#include "lab.hpp"

namespace {

/// The variants of this build that are in every problem of an experiment.
std::set<std::string> in_every_problem(const std::string& experiment) {
    const common::Lab lab = integral::make_lab();
    common::BenchRequest request{.options = {}, .full = true, .variants = lab.variants};
    std::erase_if(request.variants, [](const auto& info) { return !info.not_built.empty(); });
    std::set<std::string> everywhere;
    for (const common::VariantInfo& info : request.variants) everywhere.insert(info.name);
    for (const common::Experiment& each : lab.experiments) {
        if (each.name != experiment) continue;
        for (const common::Problem& problem : each.problems(request)) {
            std::set<std::string> here;
            for (const common::Trial& trial : problem.trials) here.insert(trial.variant.name);
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

}  // namespace
