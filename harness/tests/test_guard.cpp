// Guard bytes around images, in host memory and in GPU memory.

#include "harness/testing_guard.hpp"

#include <gtest/gtest.h>

namespace {

using harness::first_damage;
using harness::guard_byte;

TEST(Guard, surrounds_an_image_on_the_cpu) {
    cv::Mat image = harness::guarded({7, 4, CV_8UC3}, 0xA5);
    EXPECT_EQ(image.at<cv::Vec3b>(3, 6), cv::Vec3b(0xA5, 0xA5, 0xA5));
    EXPECT_EQ(first_damage(harness::surrounded(image), harness::inside_of(image)), "");
    image.setTo(1);
    EXPECT_EQ(first_damage(harness::surrounded(image), harness::inside_of(image)), "");
    image.ptr(3)[-1] = 1;
    EXPECT_EQ(first_damage(harness::surrounded(image), harness::inside_of(image)),
              "at byte -1 of row 3, where there are 21 bytes in each of 4 rows");
}

/// An image of 21-byte rows in a pitch of 512 bytes, with 8 guard rows above and below. A change of
/// any byte around it is reported.
TEST(Guard, sees_every_byte_around_padded_rows) {
    cv::Mat memory(8 + 4 + 8, 512, CV_8UC1, cv::Scalar(guard_byte));
    const cv::Rect inside(0, 8, 21, 4);
    memory(inside).setTo(0);
    EXPECT_EQ(first_damage(memory, inside), "");
    for (int y = 0; y < memory.rows; ++y) {
        for (int x = 0; x < memory.cols; ++x) {
            const uchar before = memory.ptr(y)[x];
            memory.ptr(y)[x] = 0xEE;
            EXPECT_EQ(first_damage(memory, inside).empty(), inside.contains({x, y}))
                << x << ' ' << y;
            memory.ptr(y)[x] = before;
        }
    }
}

TEST(Guard, equal_means_every_byte) {
    cv::Mat a(5, 3, CV_32SC1, cv::Scalar(7));
    cv::Mat b = a.clone();
    EXPECT_TRUE(harness::equal_bytes(a, b));
    b.at<int>(4, 2) = 8;
    EXPECT_FALSE(harness::equal_bytes(a, b));
    EXPECT_FALSE(harness::equal_bytes(a, a.rowRange(0, 4)));
}

}  // namespace
