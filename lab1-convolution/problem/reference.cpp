#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace convolution {
namespace {

/// Largest error of a float sum of `terms` products, relative to the sum of their magnitudes.
double error_bound(const Mask& mask) {
    if (sums_are_exact(mask)) return 0;
    const double n = mask.size * mask.size;
    const double unit = std::ldexp(1.0, -24);
    return n * unit / (1 - n * unit);
}

uchar truncated(double value) {
    return static_cast<uchar>(std::clamp(value, 0.0, 255.0));
}

/// Adds up one row of exact sums, and of their magnitudes, tap by tap.
void sum_row(const cv::Mat& in, const Mask& mask, int y, std::vector<double>& sums,
             std::vector<double>& magnitudes) {
    const int k = mask.radius();
    const int channels = in.channels();
    const int values = in.cols * channels;
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(magnitudes.begin(), magnitudes.end(), 0.0);
    for (int i = 0; i < mask.size; ++i) {
        if (y + i - k < 0 || y + i - k >= in.rows) continue;
        const auto* row = in.ptr<uchar>(y + i - k);
        for (int j = 0; j < mask.size; ++j) {
            const double weight = static_cast<double>(mask.at(i, j));
            const int shift = (j - k) * channels;
            for (int b = std::max(0, -shift); b < std::min(values, values - shift); ++b) {
                const double product = row[b + shift] * weight;
                sums[static_cast<std::size_t>(b)] += product;
                magnitudes[static_cast<std::size_t>(b)] += std::abs(product);
            }
        }
    }
}

}  // namespace

common::Check check_against_definition(const cv::Mat& in, const Mask& mask) {
    cv::Mat low(in.size(), in.type());
    cv::Mat high(in.size(), in.type());
    const double bound = error_bound(mask);
    const auto values = static_cast<std::size_t>(in.cols * in.channels());
#pragma omp parallel
    {
        std::vector<double> sums(values);
        std::vector<double> magnitudes(values);
#pragma omp for
        for (int y = 0; y < in.rows; ++y) {
            sum_row(in, mask, y, sums, magnitudes);
            for (std::size_t b = 0; b < values; ++b) {
                low.ptr<uchar>(y)[b] = truncated(sums[b] - bound * magnitudes[b]);
                high.ptr<uchar>(y)[b] = truncated(sums[b] + bound * magnitudes[b]);
            }
        }
    }
    return [low, high, margin = mask.radius()](const cv::Mat& out,
                                               const common::Agreement& agreement) {
        return common::compare(low, high, out, agreement, margin);
    };
}

}  // namespace convolution
