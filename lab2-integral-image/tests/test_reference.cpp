// What `run --verify` and `bench` compare with is what the tests' own definition gives.

#include "problem/reference.hpp"

#include <gtest/gtest.h>

#include "exercise.hpp"
#include "problem/sums.hpp"
#include "random_cases.hpp"

namespace {

/// The sums, each one more than it should be.
cv::Mat one_more(const cv::Mat& sums) {
    cv::Mat result = sums.clone();
    for (int y = 0; y < result.rows; ++y) {
        for (int x = 0; x < result.cols; ++x) ++result.ptr<std::int64_t>(y)[x];
    }
    return result;
}

TEST(Reference, allows_the_sums_and_nothing_else) {
    const auto parameters = input_parameters(20'000);
    for (int index = 0; index < 300; ++index) {
        const common::Case chosen = common::make_case(parameters, 1, index);
        const cv::Mat image = image_of(chosen);
        const std::string text = common::to_text(parameters, chosen);
        const int type = gold::type_of_sums(image);
        ASSERT_EQ(integral::sum_type(image), type) << text;
        const common::Check check = integral::check_against_definition(image);
        const cv::Mat sums = gold::sums(image);
        ASSERT_EQ(check(gold::as_type(sums, type), {}).wrong, 0) << text;
        ASSERT_EQ(check(gold::as_type(one_more(sums), type), {}).wrong,
                  static_cast<std::int64_t>(image.total()))
            << text;
    }
}

}  // namespace
