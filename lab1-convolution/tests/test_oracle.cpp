// The oracle against values computed by hand and against OpenCV; and it rejects outputs that
// another rule for the bounds, the conversion or the border would allow.

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "harness/scenes.hpp"
#include "masks.hpp"
#include "problem/oracle.hpp"

namespace {

using convolution::Mask;

std::int64_t wrong(const cv::Mat& in, const Mask& mask, const cv::Mat& out) {
    return convolution::oracle(in, mask)(out, {}).wrong;
}

TEST(Oracle, allows_the_values_computed_by_hand) {
    const cv::Mat_<uchar> in = (cv::Mat_<uchar>(2, 3) << 10, 20, 30, 40, 50, 255);
    Mask mask{3, {0, 0, 0, 0.5f, 0, -1, 0, 2, 0}};  // half the left, less the right, twice below
    const cv::Mat_<uchar> out = (cv::Mat_<uchar>(2, 3) << 60, 75, 255, 0, 0, 25);
    EXPECT_EQ(wrong(in, mask, out), 0);
}

TEST(Oracle, allows_both_ends_of_the_bounds_where_sums_are_rounded) {
    // Three times the float next to 1/3 is just above 1, by less than the bound.
    const cv::Mat_<uchar> in(1, 1, uchar{3});
    const Mask third{1, {1.0f / 3}};
    const auto [low, high] = convolution::bounds(in, third);
    EXPECT_EQ(low.at<uchar>(0), 0);
    EXPECT_EQ(high.at<uchar>(0), 1);
    const auto [exact_low, exact_high] = convolution::bounds(in, Mask{1, {0.25f}});
    EXPECT_EQ(exact_low.at<uchar>(0), exact_high.at<uchar>(0));
}

/// OpenCV's sums in double precision, with `add` added, truncated.
cv::Mat by_opencv(const cv::Mat& in, const Mask& mask, int border, double add) {
    const cv::Mat weights(mask.size, mask.size, CV_32F, const_cast<float*>(mask.weights));
    cv::Mat sums;
    cv::filter2D(in, sums, CV_64F, weights, {-1, -1}, add, border);
    cv::Mat out(in.size(), in.type());
    for (int y = 0; y < in.rows; ++y) {
        for (int i = 0; i < in.cols * in.channels(); ++i) {
            out.ptr(y)[i] = cv::saturate_cast<uchar>(std::floor(sums.ptr<double>(y)[i]));
        }
    }
    return out;
}

TEST(Oracle, agrees_with_opencv_and_rejects_other_rules) {
    for (const int size : {3, 5, 7, 9}) {
        for (const int channels : {1, 3}) {
            const cv::Mat in = harness::make_scene("random", 61, 43, channels);
            const Mask mask = asymmetric_mask(size);
            const cv::Mat out = by_opencv(in, mask, cv::BORDER_CONSTANT, 0);
            EXPECT_EQ(wrong(in, mask, out), 0) << size;
            EXPECT_GT(wrong(in, mask, by_opencv(in, mask, cv::BORDER_REPLICATE, 0)), 0) << size;
            EXPECT_GT(wrong(in, mask, by_opencv(in, mask, cv::BORDER_CONSTANT, 0.5)), 0) << size;
            EXPECT_EQ(wrong(in, mask, out + cv::Scalar::all(1)),
                      cv::countNonZero(out.reshape(1) < 255));
            EXPECT_EQ(wrong(in, mask, out - cv::Scalar::all(1)), cv::countNonZero(out.reshape(1)));
        }
    }
}

TEST(Oracle, rejects_what_is_beyond_its_bounds) {
    const cv::Mat in = harness::make_scene("random", 61, 43, 3);
    for (const Mask& mask : {random_mask(15, 1), convolution::find_filter("box5")}) {
        const auto [low, high] = convolution::bounds(in, mask);
        EXPECT_EQ(wrong(in, mask, low), 0);
        EXPECT_EQ(wrong(in, mask, high), 0);
        EXPECT_EQ(wrong(in, mask, low - cv::Scalar::all(1)), cv::countNonZero(low.reshape(1)));
        EXPECT_EQ(wrong(in, mask, high + cv::Scalar::all(1)),
                  cv::countNonZero(high.reshape(1) < 255));
    }
}

}  // namespace
