// What the variants are judged by, and what becomes of their sums.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "exercise.hpp"
#include "harness/testing.hpp"
#include "problem/reference.hpp"
#include "problem/sums.hpp"

namespace {

TEST(Gold, recurrence_gives_the_definition) {
    for (const cv::Mat& image : {bytes(13, 42), wide(31, 33), bytes(1, 7), bytes(7, 1)}) {
        const cv::Mat sums = gold::sums(image);
        for (int y = 0; y < image.rows; ++y) {
            for (int x = 0; x < image.cols; ++x) {
                ASSERT_EQ(sums.ptr<std::int64_t>(y)[x], gold::sum_at(image, x, y));
            }
        }
    }
}

/// cv::integral counts what lies strictly above and to the left, so it is one row and one column
/// further on; its doubles are exact.
TEST(Gold, agrees_with_opencv) {
    for (const cv::Size& size : common::test_sizes()) {
        const cv::Mat image = bytes(size.width, size.height);
        cv::Mat eight_bit;
        image.convertTo(eight_bit, CV_8U);
        cv::Mat theirs;
        cv::integral(eight_bit, theirs, CV_64F);
        const cv::Mat ours = gold::sums(image);
        for (int y = 0; y < image.rows; ++y) {
            for (int x = 0; x < image.cols; ++x) {
                ASSERT_EQ(static_cast<double>(ours.ptr<std::int64_t>(y)[x]),
                          theirs.at<double>(y + 1, x + 1));
            }
        }
    }
}

TEST(Reference, accepts_the_gold_sums_and_nothing_else) {
    const cv::Mat image = wide(67, 45);
    const common::Check check = integral::check_against_definition(image);
    cv::Mat sums = gold::sums(image);
    EXPECT_TRUE(check(sums, {}).ok());
    sums.ptr<std::int64_t>(44)[66] += 1;
    const common::Verdict verdict = check(sums, {});
    EXPECT_EQ(verdict.wrong, 1);
    EXPECT_EQ(verdict.x, 66);
    EXPECT_EQ(verdict.y, 44);
}

TEST(SumType, is_64_bits_exactly_where_32_might_not_suffice) {
    const auto constant = [](int width, int height, int pixel) {
        return cv::Mat(height, width, CV_32SC1, cv::Scalar(pixel));
    };
    EXPECT_EQ(integral::sum_type(constant(1, 1, 2'147'483'647)), CV_32SC1);
    EXPECT_EQ(integral::sum_type(constant(1, 1, -2'147'483'647 - 1)), common::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(3, 1, 715'827'882)), CV_32SC1);
    EXPECT_EQ(integral::sum_type(constant(1, 3, 715'827'883)), common::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(1, 3, -715'827'883)), common::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(2901, 2902, 255)), CV_32SC1);
    EXPECT_EQ(integral::sum_type(constant(2902, 2902, 255)), common::int64_carrier);
    EXPECT_EQ(integral::sum_type(constant(9, 9, 0)), CV_32SC1);
}

class Files : public testing::Test {
  protected:
    const std::filesystem::path folder_ = common::test_folder();
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string read(const std::filesystem::path& path) const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(Files, npy_holds_the_sums) {
    const auto path = folder_ / "sums.npy";
    const cv::Mat sums = gold::sums(wide(5, 3));
    integral::write_sums(path, sums);
    const std::string file = read(path);
    ASSERT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t header =
        10 + static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
    EXPECT_EQ(header % 64, 0u);
    EXPECT_EQ(file[header - 1], '\n');
    EXPECT_NE(file.find("{'descr': '<i8', 'fortran_order': False, 'shape': (3, 5), }"),
              std::string::npos);
    ASSERT_EQ(file.size(), header + 3 * 5 * 8);
    std::vector<std::int64_t> values(15);
    std::memcpy(values.data(), file.data() + header, 15 * 8);
    for (int i = 0; i < 15; ++i) {
        EXPECT_EQ(values[static_cast<std::size_t>(i)], sums.ptr<std::int64_t>(i / 5)[i % 5]);
    }
    integral::write_sums(path, cv::Mat(3, 5, CV_32SC1, cv::Scalar(7)));
    EXPECT_NE(read(path).find("'<i4'"), std::string::npos);
}

TEST_F(Files, picture_is_normalised) {
    const auto path = folder_ / "sums.png";
    integral::write_sums(path, gold::sums(cv::Mat(2, 2, CV_32SC1, cv::Scalar(2'000'000'000))));
    const cv::Mat picture = cv::imread(path.string(), cv::IMREAD_UNCHANGED);
    ASSERT_EQ(picture.type(), CV_8UC1);
    EXPECT_EQ(picture.at<uchar>(0, 0), 64);
    EXPECT_EQ(picture.at<uchar>(0, 1), 128);
    EXPECT_EQ(picture.at<uchar>(1, 1), 255);
}

TEST_F(Files, other_names_are_refused) {
    EXPECT_THROW(integral::check_writable_sums(folder_ / "sums.xyz"), common::BadUsage);
    EXPECT_THROW(integral::check_writable_sums(folder_ / "nosuch" / "sums.npy"), common::BadUsage);
    EXPECT_NO_THROW(integral::check_writable_sums(folder_ / "sums.npy"));
    EXPECT_NO_THROW(integral::check_writable_sums(folder_ / "sums.png"));
}

}  // namespace
