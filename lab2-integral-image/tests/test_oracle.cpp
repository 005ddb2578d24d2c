// The oracle against values computed by hand, the definition and OpenCV. What a broken oracle would
// compute is not accepted.

#include "problem/oracle.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <opencv2/imgproc.hpp>

#include "problem/sums.hpp"
#include "variant_call.hpp"

namespace {

using integral::integral_image;

/// The definition, with the bounds of its loops.
using Counts = std::function<bool(int i, int j, int x, int y)>;

cv::Mat sums_by(const cv::Mat& image, const Counts& counts) {
    cv::Mat sums(image.size(), harness::int64_carrier);
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            std::int64_t sum = 0;
            for (int j = 0; j < image.rows; ++j) {
                for (int i = 0; i < image.cols; ++i) {
                    if (counts(i, j, x, y)) sum += image.ptr<std::int32_t>(j)[i];
                }
            }
            sums.ptr<std::int64_t>(y)[x] = sum;
        }
    }
    return sums;
}

TEST(Oracle, gives_the_sums_of_the_handout) {
    const cv::Mat image = (cv::Mat_<int>(3, 4) << 1, 2, 0, 3, 4, 1, 1, 0, 2, 2, 5, 1);
    const cv::Mat sums = (cv::Mat_<int>(3, 4) << 1, 3, 3, 6, 5, 8, 9, 12, 7, 12, 18, 22);
    ASSERT_EQ(integral_image(image).type(), CV_32SC1);
    EXPECT_EQ(cv::countNonZero(integral_image(image) != sums), 0);
}

TEST(Oracle, gives_64_bit_sums) {
    const cv::Mat sums = integral_image(cv::Mat(2, 3, CV_32SC1, cv::Scalar(-2147483647 - 1)));
    ASSERT_EQ(sums.type(), harness::int64_carrier);
    EXPECT_EQ(sums.ptr<std::int64_t>(0)[2], -6442450944);
    EXPECT_EQ(sums.ptr<std::int64_t>(1)[2], -12884901888);
}

TEST(Oracle, accepts_the_definition_only) {
    for (const cv::Mat& image : {wide(13, 42), wide(31, 33), wide(2, 7), wide(7, 2)}) {
        const harness::Check check = integral::oracle(image);
        const auto accepts = [&](const Counts& counts) {
            return check(sums_by(image, counts), {}).ok();
        };
        EXPECT_TRUE(accepts([](int i, int j, int x, int y) { return i <= x && j <= y; }));
        EXPECT_FALSE(accepts([](int i, int j, int x, int y) { return i < x && j < y; }));
        EXPECT_FALSE(accepts([](int i, int j, int x, int y) { return i <= x && j < y; }));
        EXPECT_FALSE(accepts([](int i, int j, int x, int y) { return i > 0 && i <= x && j <= y; }));
        EXPECT_FALSE(accepts([](int i, int j, int x, int y) { return j > 0 && i <= x && j <= y; }));
        EXPECT_FALSE(accepts([](int i, int j, int x, int y) { return i == x && j <= y; }));
    }
}

TEST(Oracle, rejects_truncated_sums) {
    cv::Mat sums = integral_image(wide(67, 45));
    for (int y = 0; y < sums.rows; ++y) {
        std::int64_t* row = sums.ptr<std::int64_t>(y);
        for (int x = 0; x < sums.cols; ++x) row[x] = static_cast<std::int32_t>(row[x]);
    }
    EXPECT_FALSE(integral::oracle(wide(67, 45))(sums, {}).ok());
}

TEST(Oracle, rejects_a_single_value) {
    for (const cv::Mat& image : {bytes(67, 45), wide(67, 45)}) {
        cv::Mat sums = integral_image(image);
        sums.ptr(44, 66)[0] ^= 1;
        const harness::Verdict verdict = integral::oracle(image)(sums, {});
        EXPECT_EQ(verdict.wrong, 1);
        EXPECT_EQ(verdict.x, 66);
        EXPECT_EQ(verdict.y, 44);
    }
}

/// cv::integral is exclusive: it has a row and a column of zeros before the sums.
TEST(Oracle, agrees_with_opencv) {
    for (const cv::Size& size : harness::test_sizes()) {
        const cv::Mat image = bytes(size.width, size.height);
        cv::Mat eight_bit;
        image.convertTo(eight_bit, CV_8U);
        cv::Mat theirs;
        cv::integral(eight_bit, theirs, CV_32S);
        const cv::Mat ours = integral_image(image);
        ASSERT_EQ(ours.type(), CV_32SC1);
        EXPECT_EQ(cv::countNonZero(ours != theirs(cv::Rect({1, 1}, size))), 0) << size;
    }
}

TEST(SumType, is_64_bits_exactly_where_32_might_not_suffice) {
    const auto constant = [](int width, int height, int pixel) {
        return cv::Mat(height, width, CV_32SC1, cv::Scalar(pixel));
    };
    EXPECT_EQ(integral::sum_type(constant(1, 1, 2'147'483'647)), CV_32SC1);
    EXPECT_EQ(integral::sum_type(constant(1, 1, -2'147'483'647 - 1)), harness::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(3, 1, 715'827'882)), CV_32SC1);
    EXPECT_EQ(integral::sum_type(constant(1, 3, 715'827'883)), harness::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(1, 3, -715'827'883)), harness::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(2901, 2902, 255)), CV_32SC1);
    EXPECT_EQ(integral::sum_type(constant(2902, 2902, 255)), harness::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(9, 9, 0)), CV_32SC1);
}

}  // namespace
