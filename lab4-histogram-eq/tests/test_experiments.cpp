// Tests which variants the experiments give rows to.

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "lab.hpp"

namespace {

/// The only problem of the experiment `ladder`, with all variants, built or not.
harness::Problem ladder(bool full) {
    const harness::Lab lab = equalize::make_lab();
    for (const harness::Experiment& each : lab.experiments) {
        if (each.name != "ladder") continue;
        const auto problems =
            each.problems({.options = {}, .full = full, .variants = lab.variants});
        EXPECT_EQ(problems.size(), 1u);
        return problems.at(0);
    }
    throw std::out_of_range("ladder");
}

TEST(Experiments, ladder_has_every_rung_and_library_once) {
    const harness::Problem all = ladder(true);
    EXPECT_EQ(all.input.width, 7680);
    EXPECT_EQ(all.input.height, 4320);
    std::multiset<std::string> expected;
    for (const common::VariantInfo& info : equalize::make_lab().variants) {
        // From host to host. Where it is not built, a row says so.
        if (info.name == "cuda_streamed" && info.not_built.empty()) continue;
        expected.insert(info.name);
    }
    std::multiset<std::string> names;
    for (const harness::Trial& trial : all.trials) {
        names.insert(trial.variant.name);
        EXPECT_FALSE(trial.options.block) << trial.variant.name;
    }
    EXPECT_EQ(names, expected);
}

TEST(Experiments, the_quick_ladder_is_small) {
    EXPECT_EQ(ladder(false).input.width, 960);
    EXPECT_EQ(ladder(false).input.height, 540);
}

}  // namespace
