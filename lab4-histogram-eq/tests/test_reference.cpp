// What `run --verify` and `bench` compare with is what the tests' own definition gives.

#include "problem/reference.hpp"

#include <gtest/gtest.h>

#include "exercise.hpp"
#include "random_cases.hpp"

namespace {

TEST(Reference, allows_the_equalized_image_and_nothing_else) {
    const auto parameters = input_parameters(20'000);
    for (int index = 0; index < 300; ++index) {
        const common::Case chosen = common::make_case(parameters, 1, index);
        const cv::Mat image = image_of(chosen);
        const std::string text = common::to_text(parameters, chosen);
        const common::Check check = equalize::check_against_definition(image);
        const cv::Mat right = gold::equalization(image);
        ASSERT_EQ(check(right, {}).wrong, 0) << text;
        cv::Mat wrong;
        cv::bitwise_xor(right, cv::Scalar::all(1), wrong);
        ASSERT_EQ(check(wrong, {}).wrong,
                  static_cast<std::int64_t>(right.total()) * right.channels())
            << text;
    }
}

}  // namespace
