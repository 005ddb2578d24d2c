#include "quality.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"

namespace upscale {
namespace {

/// The mean over the window around each value.
cv::Mat windowed(const cv::Mat& values) {
    cv::Mat means;
    cv::GaussianBlur(values, means, {11, 11}, 1.5);
    return means;
}

}  // namespace

double psnr(const cv::Mat& original, const cv::Mat& picture) {
    const auto values = static_cast<double>(original.total()) * original.channels();
    const double error = cv::norm(original, picture, cv::NORM_L2SQR) / values;
    if (error == 0) return std::numeric_limits<double>::infinity();
    return 10 * std::log10(255.0 * 255.0 / error);
}

double ssim(const cv::Mat& original, const cv::Mat& picture) {
    constexpr double c1 = 0.01 * 255 * 0.01 * 255;
    constexpr double c2 = 0.03 * 255 * 0.03 * 255;
    cv::Mat a;
    cv::Mat b;
    original.convertTo(a, CV_64F);
    picture.convertTo(b, CV_64F);
    const cv::Mat mean_a = windowed(a);
    const cv::Mat mean_b = windowed(b);
    const cv::Mat variances =
        windowed(a.mul(a) + b.mul(b)) - mean_a.mul(mean_a) - mean_b.mul(mean_b);
    const cv::Mat covariance = windowed(a.mul(b)) - mean_a.mul(mean_b);
    const cv::Scalar one = cv::Scalar::all(1);
    const cv::Mat likeness = (2 * mean_a.mul(mean_b) + c1 * one).mul(2 * covariance + c2 * one);
    const cv::Mat size =
        (mean_a.mul(mean_a) + mean_b.mul(mean_b) + c1 * one).mul(variances + c2 * one);
    cv::Mat similarity;
    cv::divide(likeness, size, similarity);
    const cv::Scalar means = cv::mean(similarity);
    double sum = 0;
    for (int c = 0; c < original.channels(); ++c) sum += means[c];
    return sum / original.channels();
}

cv::Mat halved(const cv::Mat& image) {
    const cv::Size half(image.cols / 2, image.rows / 2);
    if (half.empty()) {
        throw common::BadUsage(
            fmt::format("a picture of {}x{} cannot be halved", image.cols, image.rows));
    }
    cv::Mat small;
    cv::resize(image({0, 0, 2 * half.width, 2 * half.height}), small, half, 0, 0, cv::INTER_AREA);
    return small;
}

}  // namespace upscale
