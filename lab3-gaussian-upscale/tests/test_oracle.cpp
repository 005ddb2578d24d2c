// The oracle against values computed by hand and against OpenCV. An oracle with other rules fails.

#include "problem/oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "harness/scenes.hpp"
#include "variant_call.hpp"

namespace {

using upscale::Filter;
using upscale::Rules;
using upscale::weighted_means;

constexpr double exact = 1e-9;

/// A row of pixels.
cv::Mat row(std::vector<uchar> values) {
    return cv::Mat(values, true).t();
}

/// The means to the right of the centre of a bright pixel: 128 times the weights at the distances
/// 0.25, 0.75, 1.25, …
std::vector<double> response(const Filter& filter, int count) {
    cv::Mat image(1, 17, CV_8UC1, cv::Scalar(0));
    image.at<uchar>(0, 8) = 128;
    const cv::Mat means = weighted_means(image, filter);
    std::vector<double> right;
    for (int i = 0; i < count; ++i) {
        right.push_back(means.at<double>(0, 17 + i));
        EXPECT_EQ(means.at<double>(0, 16 - i), right.back()) << "not symmetric";
    }
    return right;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& wanted) {
    ASSERT_EQ(actual.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(actual[i], wanted[i], exact) << i;
}

TEST(Oracle, responds_to_a_pixel_with_the_weights) {
    expect_near(response(bilinear, 4), {96, 32, 0, 0});
    expect_near(response(bicubic, 5), {112.5, 33.5, -13.5, -4.5, 0});
    expect_near(response(lagrange, 5), {105, 35, -7, -5, 0});
    // With sigma^2 = 1 / (2 ln 2), the Gaussian at distance d is 2^(-d^2).
    const Filter gauss{.radius = 1, .sigma = 1 / std::sqrt(2 * std::log(2.0))};
    const double quarters[] = {std::exp2(-1 / 16.0), std::exp2(-9 / 16.0), std::exp2(-25 / 16.0)};
    const double unit = 128 / (quarters[0] + quarters[1] + quarters[2]);
    expect_near(response(gauss, 4),
                {quarters[0] * unit, quarters[1] * unit, quarters[2] * unit, 0});
}

TEST(Oracle, clamps_coordinates_to_the_image) {
    const cv::Mat means = weighted_means(row({0, 100}), bilinear);
    expect_near({means.begin<double>(), means.begin<double>() + 4}, {0, 25, 75, 100});
    const cv::Mat constant(5, 3, CV_8UC3, cv::Scalar(7, 77, 255));
    const cv::Mat wanted(10, 6, CV_64FC3, cv::Scalar(7, 77, 255));
    for (const Filter& filter : {Filter{.radius = 7, .sigma = 3}, bicubic, lanczos}) {
        EXPECT_LT(cv::norm(weighted_means(constant, filter), wanted, cv::NORM_INF), exact);
    }
}

/// cv::resize has weights in float.
TEST(Oracle, agrees_with_resize) {
    const auto distance = [](const Filter& filter, int flag, const Rules& rules = {}) {
        const cv::Mat image = harness::make_scene("random", 23, 17, 3);
        cv::Mat precise;
        image.convertTo(precise, CV_64F);
        cv::Mat wanted;
        cv::resize(precise, wanted, {}, 2, 2, flag);
        return cv::norm(weighted_means(image, filter, rules), wanted, cv::NORM_INF);
    };
    EXPECT_LT(distance(bilinear, cv::INTER_LINEAR), 1e-4);
    EXPECT_LT(distance(bicubic, cv::INTER_CUBIC), 1e-4);
    EXPECT_LT(distance(lanczos, cv::INTER_LANCZOS4), 1e-3);
    EXPECT_GT(distance(bicubic, cv::INTER_LINEAR), 1);
    EXPECT_GT(distance(bicubic, cv::INTER_CUBIC, {.border = Rules::skipped}), 1);
}

/// The Gaussian as the handout defines it, with weights in two dimensions: for each pair of phases
/// a filter, whose results are every other pixel of every other row.
cv::Mat filtered_by_phase(const cv::Mat& image, const Filter& filter) {
    const int taps = 2 * filter.radius + 1;
    cv::Mat result(2 * image.rows, 2 * image.cols, CV_64FC(image.channels()));
    for (const int phase_y : {0, 1}) {
        for (const int phase_x : {0, 1}) {
            cv::Mat_<double> kernel(taps, taps);
            for (int j = 0; j < taps; ++j) {
                for (int i = 0; i < taps; ++i) {
                    const double dx = i - filter.radius + (phase_x == 0 ? 0.25 : -0.25);
                    const double dy = j - filter.radius + (phase_y == 0 ? 0.25 : -0.25);
                    kernel(j, i) =
                        std::exp(-(dx * dx + dy * dy) / (2 * filter.sigma * filter.sigma));
                }
            }
            kernel /= cv::sum(kernel)[0];
            cv::Mat part;
            cv::filter2D(image, part, CV_64F, kernel, {-1, -1}, 0, cv::BORDER_REPLICATE);
            for (int y = 0; y < image.rows; ++y) {
                for (int x = 0; x < image.cols; ++x) {
                    part(cv::Rect(x, y, 1, 1))
                        .copyTo(result(cv::Rect(2 * x + phase_x, 2 * y + phase_y, 1, 1)));
                }
            }
        }
    }
    return result;
}

TEST(Oracle, agrees_with_filters_in_two_dimensions) {
    for (const Filter& filter :
         {Filter{.radius = 1, .sigma = 0.5}, Filter{.radius = 2, .sigma = 0.6},
          Filter{.radius = 7, .sigma = 2.5}}) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = harness::make_scene("random", 13, 11, channels);
            const cv::Mat wanted = filtered_by_phase(image, filter);
            const auto distance = [&](const Rules& rules) {
                return cv::norm(weighted_means(image, filter, rules), wanted, cv::NORM_INF);
            };
            EXPECT_LT(distance({}), 1e-5);
            EXPECT_GT(distance({.even_offset = -0.25, .odd_offset = 0.25}), 0.1);
            EXPECT_GT(distance({.even_offset = 0, .odd_offset = -0.5}), 0.1);
            EXPECT_GT(distance({.border = Rules::skipped}), 0.1);
            EXPECT_GT(distance({.border = Rules::skipped_not_normalized}), 0.1);
        }
    }
}

/// Counts the values of `image` that adding `change` alters: those at 0 or 255 may be saturated.
std::int64_t values_that_change(const cv::Mat& image, int change) {
    const cv::Mat changed = image + cv::Scalar::all(change);
    cv::Mat differs;
    cv::compare(image.reshape(1), changed.reshape(1), differs, cv::CMP_NE);
    return cv::countNonZero(differs);
}

TEST(Oracle, allows_its_bounds_and_nothing_beyond) {
    for (const Filter& filter : {Filter{.radius = 2, .sigma = 0.6},
                                 Filter{.radius = 7, .sigma = 2.5}, bicubic, bilinear, lanczos}) {
        const cv::Mat image = harness::make_scene("random", 41, 59, 3);
        const harness::Check check = upscale::oracle(image, filter);
        const auto wrong = [&](const cv::Mat& out) { return check(out, {}).wrong; };
        const auto [low, high] = upscale::bounds(image, filter);
        EXPECT_EQ(wrong(low), 0);
        EXPECT_EQ(wrong(high), 0);
        EXPECT_EQ(wrong(low - cv::Scalar::all(1)), values_that_change(low, -1));
        EXPECT_EQ(wrong(high + cv::Scalar::all(1)), values_that_change(high, 1));

        cv::Mat rounded;
        weighted_means(image, filter).convertTo(rounded, CV_8U);
        EXPECT_EQ(wrong(rounded), 0);
        cv::Mat truncated;
        weighted_means(image, filter).convertTo(truncated, CV_8U, 1, -0.5);
        EXPECT_GT(wrong(truncated), truncated.rows * truncated.cols);
    }
}

}  // namespace
