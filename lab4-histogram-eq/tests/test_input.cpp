// The lab's input.

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "cases.hpp"
#include "common/error.hpp"
#include "common/image.hpp"
#include "harness/scenes.hpp"
#include "harness/source.hpp"
#include "lab.hpp"
#include "problem/input.hpp"

namespace {

using equalize::Colour;

TEST(Input, colours_become_gray_as_cvtColor_does) {
    const std::filesystem::path folder = harness::test_folder();
    const cv::Mat colour = harness::make_scene("random", 401, 300, 3, 5);
    const std::string file = (folder / "colour.png").string();
    common::write_image(file, colour);
    cv::Mat gray;
    cv::cvtColor(colour, gray, cv::COLOR_BGR2GRAY);
    const cv::Mat loaded = equalize::load_input(harness::parse_source(file), Colour::gray);
    ASSERT_EQ(loaded.type(), CV_8UC1);
    EXPECT_EQ(cv::norm(loaded, gray, cv::NORM_INF), 0);
    const cv::Mat kept = equalize::load_input(harness::parse_source(file), Colour::luma);
    EXPECT_EQ(cv::norm(kept, colour, cv::NORM_INF), 0);
    std::filesystem::remove_all(folder);
}

TEST(Input, luma_of_a_gray_picture_is_the_picture) {
    const cv::Mat image = noise(31, 17);
    const harness::Adapter luma = equalize::luma_only();
    EXPECT_EQ(cv::norm(luma.input(image), image, cv::NORM_INF), 0);
    EXPECT_EQ(luma.result(image).type(), CV_8UC1);
}

TEST(Input, skewed_halves_from_level_to_level) {
    harness::ImageSource source = harness::parse_source("random:256x256");
    source.scene = "skewed";
    const equalize::oracle::Counts counts =
        equalize::oracle::histogram(equalize::load_input(source, Colour::gray));
    EXPECT_NEAR(static_cast<double>(counts[0]), 32768, 800);
    EXPECT_NEAR(static_cast<double>(counts[1]), 16384, 600);
    EXPECT_NEAR(static_cast<double>(counts[4]), 2048, 250);
}

TEST(Problem, refuses_more_pixels_than_32_bits_count) {
    const harness::Problem problem = equalize::problem(harness::parse_source("random:2x2"), {});
    uchar pixel = 0;  // never read: all rows are this byte
    EXPECT_NO_THROW(problem.output_shape(cv::Mat(32768, 65535, CV_8UC1, &pixel, 65535)));
    EXPECT_THROW(problem.output_shape(cv::Mat(32768, 65536, CV_8UC1, &pixel, 65536)),
                 common::BadUsage);
}

}  // namespace
