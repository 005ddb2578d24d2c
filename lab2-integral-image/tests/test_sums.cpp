// Files of sums.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "common/error.hpp"
#include "common/image.hpp"
#include "harness/testing.hpp"
#include "problem/oracle.hpp"
#include "problem/sums.hpp"
#include "variant_call.hpp"

namespace {

class Files : public testing::Test {
  protected:
    const std::filesystem::path folder_ = harness::test_folder();
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string read(const std::filesystem::path& path) const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(Files, npy_holds_the_sums) {
    const auto path = folder_ / "sums.npy";
    const cv::Mat sums = integral::integral_image(wide(5, 3));
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
    integral::write_sums(
        path, integral::integral_image(cv::Mat(2, 2, CV_32SC1, cv::Scalar(2'000'000'000))));
    const cv::Mat picture = common::load_image(path.string());
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
