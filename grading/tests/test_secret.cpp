// The random numbers of a grading, and how certain a ratio is.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "judge/certainty.hpp"
#include "judge/secret.hpp"

namespace {

using grading::Secret;

TEST(Secret, is_repeated_by_its_text) {
    const Secret secret = Secret::make_new();
    EXPECT_EQ(secret.hex().size(), 64U);
    EXPECT_EQ(Secret::from_hex(secret.hex()).derived("a", 3).next(), secret.derived("a", 3).next());
    EXPECT_NE(Secret::make_new().hex(), secret.hex());
    EXPECT_THROW(Secret::from_hex("12"), common::BadUsage);
    EXPECT_THROW(Secret::from_hex(std::string(64, 'x')), common::BadUsage);
}

TEST(Secret, differs_by_purpose_index_and_call) {
    const Secret secret = Secret::from_hex(std::string(64, '7'));
    Secret first = secret.derived("input", 0);
    std::vector<std::uint64_t> numbers{first.next(), first.next()};
    for (const Secret& other : {secret.derived("input", 1), secret.derived("order", 0), secret}) {
        numbers.push_back(Secret(other).next());
    }
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
}

TEST(Secret, fills_all_bytes) {
    Secret secret = Secret::from_hex(std::string(64, '7'));
    std::vector<std::byte> bytes(1 << 16);
    secret.fill(bytes);
    for (int value = 0; value < 256; ++value) {
        const auto count = std::count(bytes.begin(), bytes.end(), static_cast<std::byte>(value));
        EXPECT_NEAR(static_cast<double>(count), 256, 100);
    }
}

TEST(Ratio, is_of_calls_in_the_same_round) {  // that of the two medians is 1
    EXPECT_EQ(grading::median_ratio({{10, 5}, {10, 5}, {10, 10}, {20, 10}, {20, 10}}), 2);
}

TEST(Ratio, has_an_interval_that_noise_widens) {
    const Secret random = Secret::from_hex(std::string(64, '7'));
    std::vector<grading::TimePair> rounds(9, {20, 10});
    EXPECT_EQ(grading::median_ratio(rounds), 2);
    EXPECT_EQ(grading::interval_of_ratio(rounds, random).low, 2);
    EXPECT_EQ(grading::interval_of_ratio(rounds, random).high, 2);
    for (std::size_t i = 0; i < 4; ++i) rounds[i].variant_ms = 12;
    const auto [low, high] = grading::interval_of_ratio(rounds, random);
    EXPECT_LT(low, 1.9);
    EXPECT_EQ(high, 2);
}

}  // namespace
