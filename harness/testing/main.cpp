// The main function of all tests: that of GoogleTest, and that of the ranks which tests start.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/ranks.hpp"

int main(int argc, char** argv) {
    if (common::is_rank(argc, argv)) return common::serve_as_rank(argc, argv);
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
