// The distance of a picture from its original, and the choice of a method by a picture's edges.

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "harness/scenes.hpp"
#include "problem/edge_content.hpp"
#include "problem/oracle.hpp"
#include "quality.hpp"
#include "variant_call.hpp"

namespace {

using upscale::Method;

cv::Mat flat(int value) {
    return {24, 32, CV_8UC1, cv::Scalar(value)};
}

TEST(Quality, psnr_is_that_of_the_mean_squared_error) {
    EXPECT_NEAR(upscale::psnr(flat(100), flat(110)), 20 * std::log10(255 / 10.0), 1e-9);
    EXPECT_TRUE(std::isinf(upscale::psnr(flat(7), flat(7))));
    cv::Mat one_channel(24, 32, CV_8UC3, cv::Scalar(0, 0, 0));
    const cv::Mat black = one_channel.clone();
    one_channel.setTo(cv::Scalar(30, 0, 0));
    EXPECT_NEAR(upscale::psnr(black, one_channel), 10 * std::log10(255 * 255 / 300.0), 1e-9);
}

/// With constant pictures, only the first factor of the formula is left.
TEST(Quality, ssim_of_constant_pictures) {
    const double c1 = 2.55 * 2.55;
    EXPECT_NEAR(upscale::ssim(flat(100), flat(110)),
                (2 * 100 * 110 + c1) / (100 * 100 + 110 * 110 + c1), 1e-9);
    const cv::Mat noise = harness::make_scene("random", 40, 30, 3);
    EXPECT_NEAR(upscale::ssim(noise, noise), 1, 1e-12);
    EXPECT_LT(upscale::ssim(noise, 255 - noise), 0);
}

/// The formula once more at one place, with the window as nested loops.
TEST(Quality, ssim_has_the_window_of_its_authors) {
    const cv::Mat a = harness::make_scene("random", 11, 11, 1, 3);
    const cv::Mat b = harness::make_scene("random", 11, 11, 1, 4);
    const auto local = [&](int y, int x) {
        double w = 0, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
        for (int j = -5; j <= 5; ++j) {
            for (int i = -5; i <= 5; ++i) {
                const double g = std::exp(-(i * i + j * j) / (2 * 1.5 * 1.5));
                const auto mirrored = [](int at) { return at < 0 ? -at : at > 10 ? 20 - at : at; };
                const double p = a.at<uchar>(mirrored(y + j), mirrored(x + i));
                const double q = b.at<uchar>(mirrored(y + j), mirrored(x + i));
                w += g, ma += g * p, mb += g * q;
                aa += g * p * p, bb += g * q * q, ab += g * p * q;
            }
        }
        ma /= w, mb /= w;
        const double c1 = 6.5025, c2 = 58.5225;
        return (2 * ma * mb + c1) * (2 * (ab / w - ma * mb) + c2) /
               ((ma * ma + mb * mb + c1) * (aa / w - ma * ma + bb / w - mb * mb + c2));
    };
    double sum = 0;
    for (int y = 0; y < 11; ++y) {
        for (int x = 0; x < 11; ++x) sum += local(y, x);
    }
    EXPECT_NEAR(upscale::ssim(a, b), sum / 121, 1e-9);
}

TEST(Quality, halved_takes_means_and_leaves_out_what_is_odd) {
    const cv::Mat image =
        (cv::Mat_<uchar>(3, 5) << 0, 4, 10, 10, 99, 8, 12, 10, 14, 99, 9, 9, 9, 9, 9);
    const cv::Mat small = upscale::halved(image);
    EXPECT_EQ(small.size(), cv::Size(2, 1));
    EXPECT_EQ(small.at<uchar>(0, 0), 6);
    EXPECT_EQ(small.at<uchar>(0, 1), 11);
    EXPECT_THROW(upscale::halved(cv::Mat(1, 7, CV_8UC1)), common::BadUsage);
}

TEST(EdgeContent, of_a_ramp_a_constant_and_noise) {
    cv::Mat ramp(20, 40, CV_8UC1);
    for (int x = 0; x < 40; ++x) ramp.col(x).setTo(3 * x);
    const auto slow = upscale::edge_content(ramp);
    EXPECT_NEAR(slow.gradient, 3, 0.2);
    EXPECT_LT(slow.roughness(), 0.2);
    EXPECT_EQ(upscale::edge_content(flat(9)).roughness(), 0);
    EXPECT_GT(upscale::edge_content(harness::make_scene("random", 64, 64, 1)).roughness(), 3.5);
    EXPECT_EQ(upscale::edge_content(cv::Mat(1, 1, CV_8UC3, cv::Scalar(1, 2, 3))).gradient, 0);
}

/// For a smooth picture with grain, --method auto chooses the Gaussian, and the Gaussian restores
/// it better.
TEST(EdgeContent, grain_is_for_the_gaussian_and_edges_are_bicubic) {
    cv::Mat grain = harness::make_scene("random", 128, 96, 1);
    grain.convertTo(grain, CV_8U, 1 / 32.0);
    const cv::Mat original = grain + cv::Scalar(100);
    const cv::Mat small = upscale::halved(original);
    upscale::Filter filter;
    filter.automatic = true;
    EXPECT_EQ(filter.chosen_for(small).method, Method::gauss);

    const auto restored = [&](const upscale::Filter& wanted) {
        cv::Mat result;
        upscale::weighted_means(small, wanted).convertTo(result, CV_8U);
        return upscale::psnr(original, result);
    };
    EXPECT_GT(restored({.radius = 2, .sigma = 0.36}), restored(bicubic));

    EXPECT_EQ(filter.chosen_for(harness::make_scene("landscape", 160, 90, 3)).method,
              Method::bicubic);
    EXPECT_EQ(filter.chosen_for(flat(50)).method, Method::bicubic);
    filter.automatic = false;
    EXPECT_EQ(filter.chosen_for(flat(50)).method, Method::gauss);
}

}  // namespace
