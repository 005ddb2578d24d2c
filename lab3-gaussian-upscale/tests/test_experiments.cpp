// Tests which variants the experiments give rows to.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/variant.hpp"

namespace {

/// For each variant of this build, the largest width at which an experiment has it.
std::map<std::string, int> largest_width(const std::string& experiment, const std::string& method,
                                         bool with_gpu) {
    const harness::Lab lab = upscale::make_lab();
    harness::BenchRequest request{.options = {}, .full = true, .variants = lab.variants};
    std::erase_if(request.variants, [&](const common::VariantInfo& info) {
        return !info.not_built.empty() || (info.on_device && !with_gpu);
    });
    std::map<std::string, int> widths;
    for (const harness::Experiment& each : lab.experiments) {
        if (each.name != experiment) continue;
        for (const harness::Problem& problem : each.problems(request)) {
            for (const harness::Trial& trial : problem.trials) {
                if (trial.columns.back() != method) continue;
                int& width = widths[trial.variant.name];
                width = std::max(width, problem.input.width);
            }
        }
    }
    return widths;
}

TEST(Experiments, a_cpu_has_four_bars_at_the_largest_size) {
    const auto bicubic = largest_width("limit", "bicubic", false);
    for (const char* name : {"seq", "omp_rows", "omp_best", "peer_opencv"}) {
        EXPECT_EQ(bicubic.at(name), 7680) << name;
    }
    EXPECT_EQ(largest_width("datasets", "gauss", false).at("seq"), 7680);
}

TEST(Experiments, beside_a_gpu_the_slow_variants_end_at_1920) {
    for (const char* experiment : {"limit", "datasets"}) {
        const auto gauss = largest_width(experiment, "gauss", true);
        if (!gauss.contains("cuda_best")) GTEST_SKIP() << "cannot run here: built without CUDA";
        EXPECT_EQ(gauss.at("seq"), 1920) << experiment;
        EXPECT_EQ(gauss.at("omp_rows"), 1920) << experiment;
        EXPECT_EQ(gauss.at("cuda_best"), 7680) << experiment;
    }
}

/// The figure of the ladder has a step for each rung, at one size.
TEST(Experiments, the_ladder_has_every_rung_at_7680) {
    const harness::Lab lab = upscale::make_lab();
    const auto gauss = largest_width("ladder", "gauss", true);
    for (const common::VariantInfo& info : lab.variants) {
        if (!info.not_built.empty() || info.backend == common::Backend::peer) continue;
        if (!harness::variant_named(upscale::variants(), info.name).in_ladder) continue;
        EXPECT_TRUE(gauss.contains(info.name) && gauss.at(info.name) == 7680) << info.name;
    }
    EXPECT_EQ(largest_width("ladder", "bicubic", true).at("seq"), 1920);
}

TEST(Experiments, constant_memory_has_the_three_places_of_the_weights) {
    const auto gauss = largest_width("constant_memory", "gauss", true);
    if (gauss.empty()) GTEST_SKIP() << "cannot run here: built without CUDA";
    EXPECT_EQ(gauss, (std::map<std::string, int>{{"cuda_constant", 1920},
                                                 {"cuda_constant_symbol", 1920},
                                                 {"cuda_global_weights", 1920}}));
    EXPECT_FALSE(largest_width("ladder", "gauss", true).contains("cuda_global_weights"));
}

}  // namespace
