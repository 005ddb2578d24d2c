#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace upscale {
namespace {

/// The weight of the tap at distance d, not normalised. The sigma is the one that the user gave:
/// the weights in `Options` are rounded to float, and so is what the variants know of sigma.
double weight(Method method, double sigma, double d) {
    const double x = std::fabs(d);
    const double angle = std::numbers::pi * x;  // never 0: all distances are odd quarters
    switch (method) {
        case Method::gauss:
            return std::exp(-d * d / (2 * sigma * sigma));
        case Method::bicubic:
            if (x <= 1) return 1.25 * x * x * x - 2.25 * x * x + 1;
            return x < 2 ? -0.75 * (x * x * x - 5 * x * x + 8 * x - 4) : 0;
        case Method::lagrange:
            if (x <= 1) return (1 - x * x) * (2 - x) / 2;
            return x < 2 ? (1 - x) * (2 - x) * (3 - x) / 6 : 0;
        case Method::bilinear:
            return x < 1 ? 1 - x : 0;
        case Method::lanczos:
            return x < 4 ? 4 * std::sin(angle) * std::sin(angle / 4) / (angle * angle) : 0;
    }
    throw std::invalid_argument("no such method");
}

/// Normalised weights of the even and the odd phase.
std::vector<double> weights_of_phase(const Options& options, double sigma, int phase) {
    std::vector<double> weights;
    double sum = 0;
    for (int k = -options.weights.radius; k <= options.weights.radius; ++k) {
        weights.push_back(weight(options.method, sigma, phase == 0 ? k + 0.25 : k - 0.25));
        sum += weights.back();
    }
    for (double& w : weights) w /= sum;
    return weights;
}

/// Every row twice as long, in double precision.
cv::Mat widened(const cv::Mat& in, const Options& options, double sigma) {
    const int channels = in.channels();
    const int r = options.weights.radius;
    const std::vector<double> phases[2] = {weights_of_phase(options, sigma, 0),
                                           weights_of_phase(options, sigma, 1)};
    cv::Mat out(in.rows, 2 * in.cols, CV_64FC(channels));
#pragma omp parallel for
    for (int y = 0; y < in.rows; ++y) {
        for (int x = 0; x < out.cols; ++x) {
            const std::vector<double>& weights = phases[x % 2];
            for (int c = 0; c < channels; ++c) {
                double sum = 0;
                for (int k = -r; k <= r; ++k) {
                    const int from = std::clamp(x / 2 + k, 0, in.cols - 1);
                    sum +=
                        weights[static_cast<std::size_t>(k + r)] * in.ptr(y)[from * channels + c];
                }
                out.ptr<double>(y)[x * channels + c] = sum;
            }
        }
    }
    return out;
}

uchar byte(double value) {
    return static_cast<uchar>(std::clamp(value, 0.0, 255.0));
}

}  // namespace

common::Check check_against_definition(const cv::Mat& in, const Options& options, double sigma) {
    const int r = options.weights.radius;
    const std::vector<double> phases[2] = {weights_of_phase(options, sigma, 0),
                                           weights_of_phase(options, sigma, 1)};
    const cv::Mat wide = widened(in, options, sigma);
    const int values = wide.cols * wide.channels();
    cv::Mat low(2 * in.rows, wide.cols, in.type());
    cv::Mat high(2 * in.rows, wide.cols, in.type());
#pragma omp parallel for
    for (int y = 0; y < low.rows; ++y) {
        std::vector<double> sums(static_cast<std::size_t>(values), 0.0);
        for (int k = -r; k <= r; ++k) {
            const auto* row = wide.ptr<double>(std::clamp(y / 2 + k, 0, in.rows - 1));
            const double w = phases[y % 2][static_cast<std::size_t>(k + r)];
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += w * row[i];
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            low.ptr(y)[i] = byte(std::ceil(sums[i] - 0.5 - slack));
            high.ptr(y)[i] = byte(std::floor(sums[i] + 0.5 + slack));
        }
    }
    return [low, high](const cv::Mat& out, const common::Agreement& agreement) {
        return common::compare(low, high, out, agreement);
    };
}

}  // namespace upscale
