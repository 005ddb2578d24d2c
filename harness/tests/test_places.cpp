// Messages name the rows, columns and channel of an output that have wrong values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "planted_calls.hpp"
#include "testing/testing_places.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using IsWrong = std::function<bool(int x, int y)>;

std::string place(int width, int height, const IsWrong& is_wrong) {
    cv::Mat difference = cv::Mat::zeros(height, width, CV_8UC1);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) difference.at<uchar>(y, x) = is_wrong(x, y) ? 9 : 0;
    }
    return harness::place_of_wrong_values(difference);
}

TEST(Places, of_lines) {
    EXPECT_EQ(place(9, 9, [](int, int y) { return y == 8; }), "the last row");
    EXPECT_EQ(place(9, 9, [](int x, int) { return x == 0; }), "the first column");
    EXPECT_EQ(place(9, 9, [](int x, int y) { return x == 3 && y > 4; }),
              "rows from 5 on, and column 3");
    EXPECT_EQ(place(9, 9, [](int, int y) { return y == 1 || y == 4 || y == 5; }), "rows 1, 4, 5");
    EXPECT_EQ(place(20, 3, [](int x, int) { return x >= 16; }),
              "columns from 16 on, the rest after whole groups of 16");
}

TEST(Places, of_patterns) {
    EXPECT_EQ(place(5, 50, [](int, int y) { return y % 16 == 15; }), "the last row of each 16");
    EXPECT_EQ(place(50, 5, [](int x, int) { return x % 8 < 2; }), "the first 2 columns of each 8");
    // The first strip has no row above it.
    EXPECT_EQ(place(5, 50, [](int, int y) { return y % 8 == 0 && y > 0; }),
              "the first row of each 8");
}

TEST(Places, of_all_values_or_without_order_are_none) {
    EXPECT_EQ(place(9, 9, [](int, int) { return true; }), "");
    const IsWrong hash = [](int, int y) { return static_cast<unsigned>(y) * 2654435761U >> 31; };
    EXPECT_EQ(place(5, 60, hash), "");
}

TEST(Places, of_a_channel) {
    cv::Mat difference = cv::Mat::zeros(4, 4, CV_8UC3);
    difference.at<cv::Vec3b>(1, 1)[2] = 1;
    EXPECT_EQ(harness::place_of_wrong_values(difference), "row 1, and column 1, and channel 2");
}

/// Only a message without a cause names the place: the cause says more.
TEST(Places, are_named_where_no_cause_is) {
    const auto wrong_last_row = [](const cv::Mat& in, cv::Mat& out) {
        changed(in, plus_one).copyTo(out);
        out.row(out.rows - 1) += 7;
    };
    EXPECT_THAT(message_for(wrong_last_row, {}),
                AllOf(HasSubstr("of the 30x20x1 output are only in: the last row"),
                      Not(HasSubstr("looks like"))));
    const auto two = [](const cv::Mat& in, cv::Mat& out) {
        changed(in, [](uchar value) { return static_cast<uchar>(value + 2); }).copyTo(out);
    };
    EXPECT_THAT(message_for(two, {}), Not(HasSubstr("are only in")));
}

}  // namespace
