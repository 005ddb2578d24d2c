#include "harness/testing_scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

/// At the distance 16, warp 1 reads what warp 0 has just written.
TEST(WrongScans, missing_barrier) {
    std::vector<std::int64_t> values(64);
    values[0] = 1;
    std::vector<std::int64_t> wrong(64, 1);
    std::fill_n(wrong.begin() + 32, 16, 2);
    EXPECT_EQ(harness::scanned(values, {.lockstep = 32}), wrong);
}

TEST(WrongScans, differ_from_a_right_one_in_long_rows) {
    std::vector<std::int64_t> values(3000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::int64_t>((i * 7919 + 13) % 251);
    }
    const auto right = harness::scanned(values, {});
    for (const harness::WrongScan& scan : harness::wrong_scans()) {
        EXPECT_NE(harness::scanned(values, scan.rules), right) << scan.name;
    }
    EXPECT_EQ(harness::scanned(values, {.segment = 32}), right);
    EXPECT_EQ(harness::scanned(values, {.segment = 32, .part_of_thread = 32}), right);
    EXPECT_EQ(harness::scanned(values, {.parts = 7}), right);
}

TEST(WrongScans, a_thread_carries_the_totals_up_to_its_own) {
    const harness::ScanRules two_threads{.segment = 4, .part_of_thread = 2};
    const std::vector<std::int64_t> sums{1, 2, 3, 4, 3, 4, 7, 8, 5, 6};
    EXPECT_EQ(harness::scanned(std::vector<std::int64_t>(10, 1), two_threads), sums);
}

}  // namespace
