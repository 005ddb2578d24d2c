// The table of `device`: the rates of the machine and the times that they imply.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "measure/least_time.hpp"

namespace {

using testing::HasSubstr;
using testing::Not;

harness::Statistics steady(double rate) {
    return harness::statistics(std::vector<double>(10, rate));
}

const harness::Work picture{.size = "7680x4320", .bytes = 200'000'000, .operations = 2e9};

TEST(LeastTime, is_bytes_over_the_rate_of_a_copy_and_operations_over_that_of_multiply_adds) {
    const std::vector<harness::Rates> machine{{"CPU, 2 threads", steady(40), steady(100)},
                                              {"GPU", steady(4000), steady(50000)}};
    const std::string text = least_times(picture, machine);
    EXPECT_THAT(text, HasSubstr("7680x4320: 200 MB of input and output, 2e+09 operations"));
    EXPECT_THAT(text, testing::ContainsRegex(
                          "CPU, 2 threads +40\\.0 +0% +100 +0% +5\\.00 +20\\.0 +operations\n"));
    EXPECT_THAT(text,
                testing::ContainsRegex("GPU +4000 +0% +50000 +0% +0\\.0500 +0\\.0400 +copy\n"));
    EXPECT_THAT(text, Not(HasSubstr("Too noisy")));
}

TEST(LeastTime, says_when_a_rate_is_too_noisy) {
    const harness::Statistics scattered =
        harness::statistics(std::vector<double>{10, 20, 30, 40, 50, 60});
    const std::vector<harness::Rates> copy{{"CPU, 2 threads", scattered, steady(100)}};
    const std::vector<harness::Rates> arithmetic{{"CPU, 2 threads", steady(40), scattered}};
    EXPECT_THAT(least_times(picture, copy), HasSubstr("Too noisy: a spread is over 25%"));
    EXPECT_THAT(least_times(picture, arithmetic), HasSubstr("Too noisy"));
}

}  // namespace
