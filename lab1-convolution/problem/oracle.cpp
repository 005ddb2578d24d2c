#include "oracle.hpp"

#include <cmath>

namespace convolution {
namespace {

/// gamma_n for n weights; 0 if all weights are multiples of 1/256 and so small that every partial
/// sum, in units of 1/256, fits the 24 bits of a float's significand.
double relative_error(const Mask& mask) {
    const int n = mask.size * mask.size;
    double total = 0;
    bool multiples = true;
    for (int i = 0; i < n; ++i) {
        const double weight = mask.weights[i];
        multiples = multiples && std::fmod(weight * 256, 1.0) == 0;
        total += std::fabs(weight);
    }
    if (multiples && total * 255 * 256 <= 16777216) return 0;
    return n * 0x1p-24 / (1 - n * 0x1p-24);
}

/// Clamps to 0..255, then truncates.
uchar pixel(double value) {
    if (value <= 0) return 0;
    return value >= 255 ? uchar{255} : static_cast<uchar>(std::floor(value));
}

/// Row y in double precision, with `halo` zeros before and after it.
std::vector<double> padded_row(const cv::Mat& image, int y, int halo) {
    const int values = image.cols * image.channels();
    std::vector<double> row(static_cast<std::size_t>(values + 2 * halo), 0.0);
    const uchar* from = image.ptr(y);
    for (int i = 0; i < values; ++i) row[static_cast<std::size_t>(i + halo)] = from[i];
    return row;
}

}  // namespace

RowSums row_sums(const cv::Mat& in, const Mask& mask, int y) {
    const int k = (mask.size - 1) / 2;
    const int channels = in.channels();
    const auto values = static_cast<std::size_t>(in.cols * channels);
    RowSums result{std::vector<double>(values), std::vector<double>(values)};
    double* const sums = result.sums.data();
    double* const magnitudes = result.magnitudes.data();
    for (int i = -k; i <= k; ++i) {
        if (y + i < 0 || y + i >= in.rows) continue;
        const std::vector<double> row = padded_row(in, y + i, k * channels);
        for (int j = -k; j <= k; ++j) {
            const double weight = mask.weights[(i + k) * mask.size + j + k];
            const double* from = row.data() + (j + k) * channels;
            for (std::size_t b = 0; b < values; ++b) {
                sums[b] += from[b] * weight;
                magnitudes[b] += from[b] * std::fabs(weight);
            }
        }
    }
    return result;
}

Bounds bounds(const cv::Mat& in, const Mask& mask) {
    const double relative = relative_error(mask);
    Bounds result{cv::Mat(in.size(), in.type()), cv::Mat(in.size(), in.type())};
#pragma omp parallel for if (in.total() > 10'000)
    for (int y = 0; y < in.rows; ++y) {
        const auto [sums, magnitudes] = row_sums(in, mask, y);
        for (std::size_t b = 0; b < sums.size(); ++b) {
            const double error = relative * magnitudes[b];
            result.low.ptr(y)[b] = pixel(sums[b] - error);
            result.high.ptr(y)[b] = pixel(sums[b] + error);
        }
    }
    return result;
}

harness::Check oracle(const cv::Mat& in, const Mask& mask) {
    return [allowed = bounds(in, mask), k = mask.size / 2](const cv::Mat& out,
                                                           const common::Agreement& agreement) {
        return harness::compare(allowed.low, allowed.high, out, agreement, k);
    };
}

}  // namespace convolution
