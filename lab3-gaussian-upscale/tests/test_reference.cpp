// What `run --verify` and `bench` compare with allows the same values as the tests' own definition.

#include "problem/reference.hpp"

#include <gtest/gtest.h>

#include "exercise.hpp"
#include "random_cases.hpp"

namespace {

/// How many values of `image`, all changed by `change`, are still between 0 and 255.
std::int64_t values_that_change(const cv::Mat& image, int change) {
    std::int64_t count = 0;
    for (int y = 0; y < image.rows; ++y) {
        for (int i = 0; i < image.cols * image.channels(); ++i) {
            const int value = image.ptr(y)[i] + change;
            count += value >= 0 && value <= 255;
        }
    }
    return count;
}

TEST(Reference, allows_the_bounds_and_nothing_beyond_them) {
    const auto parameters = input_parameters(5'000);
    for (int index = 0; index < 150; ++index) {
        const common::Case chosen = common::make_case(parameters, 1, index);
        const cv::Mat image = image_of(chosen);
        const gold::Filter filter = filter_of(chosen);
        const common::Check check =
            upscale::check_against_definition(image, options_for(filter), filter.sigma);
        const auto [low, high] = gold::bounds(image, filter);
        const std::string text = common::to_text(parameters, chosen);
        const auto wrong = [&](const cv::Mat& out) { return check(out, {}).wrong; };
        ASSERT_EQ(wrong(low), 0) << text;
        ASSERT_EQ(wrong(high), 0) << text;
        ASSERT_EQ(wrong(low - cv::Scalar::all(1)), values_that_change(low, -1)) << text;
        ASSERT_EQ(wrong(high + cv::Scalar::all(1)), values_that_change(high, 1)) << text;
    }
}

}  // namespace
