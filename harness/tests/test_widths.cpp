// The experiment `widths`: which images, and for which variant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>

#include "harness/widths.hpp"

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

TEST(Widths, are_steps_of_32_and_all_around_4096) {
    const std::vector<int> widths = harness::widths_to_try(true);
    EXPECT_EQ(widths.front(), 1024);
    EXPECT_EQ(widths.back(), 8192);
    // 225 steps, and 129 around 4096, of which 5 are steps too
    EXPECT_EQ(widths.size(), 225U + 129U - 5U);
    EXPECT_TRUE(std::ranges::is_sorted(widths));
    EXPECT_THAT(widths, Contains(4097));
    EXPECT_THAT(widths, Not(Contains(4161)));
}

TEST(Widths, are_for_the_best_variant_only) {
    harness::BenchRequest request;
    for (const char* name : {"omp_rows", "omp_best", "cuda_best"}) {
        request.variants.emplace_back().name = name;
    }
    std::vector<int> widths;
    const auto problem_of = [&](const harness::BenchRequest& wanted, int width, int) {
        EXPECT_EQ(wanted.variants.size(), 1U);
        EXPECT_EQ(wanted.variants.front().name, "omp_best");
        widths.push_back(width);
        return harness::Problem{};
    };
    EXPECT_EQ(harness::for_widths(request, problem_of).size(), 5U);
    EXPECT_THAT(widths, ElementsAre(1024, 1056, 4095, 4096, 4097));
    widths.clear();
    request.full = true;
    const std::size_t different = harness::widths_to_try(true).size();
    EXPECT_EQ(harness::for_widths(request, problem_of).size(), 2 * different);
    EXPECT_TRUE(std::ranges::equal(widths | std::views::take(different),
                                   widths | std::views::reverse | std::views::take(different)));
    request.variants.erase(request.variants.begin() + 1);
    EXPECT_TRUE(harness::for_widths(request, problem_of).empty());
}

}  // namespace
