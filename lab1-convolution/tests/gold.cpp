#include "gold.hpp"

#include <cmath>
#include <vector>

namespace gold {
namespace {

bool exact_in_float(const Weights& weights) {
    double total = 0;
    for (const double weight : weights) {
        if (std::fmod(weight * 256, 1.0) != 0) return false;
        total += std::fabs(weight);
    }
    return total * 255 * 256 <= 16777216;
}

uchar truncated(double value) {
    if (value <= 0) return 0;
    return value >= 255 ? uchar{255} : static_cast<uchar>(std::floor(value));
}

uchar pixel(double value, Rule rule) {
    switch (rule) {
        case Rule::round_to_nearest:
            return truncated(std::floor(value + 0.5));
        case Rule::wrap_around:
            return static_cast<uchar>(static_cast<long>(value) & 255);
        case Rule::clamp_and_truncate:
            break;
    }
    return truncated(value);
}

/// Sums of one row, and of the magnitudes of their terms.
struct Sums {
    std::vector<double> values;
    std::vector<double> magnitudes;
};

/// A row in double precision, with zeros for the `outside` values before and after it.
std::vector<double> widened(const cv::Mat& image, int y, int outside) {
    const int values = image.cols * image.channels();
    std::vector<double> row(static_cast<std::size_t>(values + 2 * outside), 0.0);
    for (int i = 0; i < values; ++i) row[static_cast<std::size_t>(i + outside)] = image.ptr(y)[i];
    return row;
}

/// Pixels outside the image are zero, so they add nothing.
Sums sums_of_row(const cv::Mat& image, const Weights& weights, int y) {
    const int k = (weights.rows - 1) / 2;
    const int channels = image.channels();
    const auto count = static_cast<std::size_t>(image.cols * channels);
    Sums sums{std::vector<double>(count), std::vector<double>(count)};
    for (int i = -k; i <= k; ++i) {
        if (y + i < 0 || y + i > image.rows - 1) continue;
        const std::vector<double> row = widened(image, y + i, k * channels);
        for (int j = -k; j <= k; ++j) {
            const double weight = weights(i + k, j + k);
            const double* from = row.data() + (j + k) * channels;
            for (std::size_t b = 0; b < count; ++b) {
                sums.values[b] += from[b] * weight;
                sums.magnitudes[b] += from[b] * std::fabs(weight);
            }
        }
    }
    return sums;
}

}  // namespace

cv::Mat convolved(const cv::Mat& image, const Weights& weights, Rule rule) {
    cv::Mat out(image.size(), image.type());
    for (int y = 0; y < image.rows; ++y) {
        const Sums sums = sums_of_row(image, weights, y);
        for (std::size_t b = 0; b < sums.values.size(); ++b) {
            out.ptr(y)[b] = pixel(sums.values[b], rule);
        }
    }
    return out;
}

Bounds bounds(const cv::Mat& image, const Weights& weights) {
    // Each of the n products, and each of the n - 1 additions, is off by at most a factor 1 +
    // 2^-24.
    const double n = static_cast<double>(weights.total());
    const double relative = exact_in_float(weights) ? 0 : n * 0x1p-24 / (1 - n * 0x1p-24);
    Bounds result{cv::Mat(image.size(), image.type()), cv::Mat(image.size(), image.type())};
#pragma omp parallel for if (image.total() > 10'000)
    for (int y = 0; y < image.rows; ++y) {
        const Sums sums = sums_of_row(image, weights, y);
        for (std::size_t b = 0; b < sums.values.size(); ++b) {
            const double slack = relative * sums.magnitudes[b];
            result.low.ptr(y)[b] = truncated(sums.values[b] - slack);
            result.high.ptr(y)[b] = truncated(sums.values[b] + slack);
        }
    }
    return result;
}

common::Check check(const cv::Mat& image, const Weights& weights) {
    return [allowed = bounds(image, weights), k = weights.rows / 2](
               const cv::Mat& out, const common::Agreement& agreement) {
        return common::compare(allowed.low, allowed.high, out, agreement, k);
    };
}

std::vector<common::Suspicion> suspicions(const cv::Mat& image, const Weights& weights) {
    const auto with_mask = [image](const Weights& changed) {
        return common::is([image, changed] { return convolved(image, changed); });
    };
    Weights transposed;
    cv::transpose(weights, transposed);
    const auto flipped = [&weights](int axis) {
        Weights result;
        cv::flip(weights, result, axis);
        return result;
    };
    const auto swapped_channels = common::is([image, weights] {
        cv::Mat out = convolved(image, weights);
        for (int y = 0; y < out.rows; ++y) {
            for (int x = 0; x < out.cols; ++x) {
                std::swap(*out.ptr(y, x), out.ptr(y, x)[out.channels() - 1]);
            }
        }
        return out;
    });
    const auto by_rule = [image, weights](Rule rule) {
        return common::is([image, weights, rule] { return convolved(image, weights, rule); });
    };
    return {{"the mask is flipped left to right", with_mask(flipped(1))},
            {"the mask is flipped upside down", with_mask(flipped(0))},
            {"the mask is turned by 180 degrees (convolution instead of correlation)",
             with_mask(flipped(-1))},
            {"the mask is transposed", with_mask(transposed)},
            {"the sum is rounded to nearest instead of truncated", by_rule(Rule::round_to_nearest)},
            {"the sum is not clamped to 0..255 and wraps around", by_rule(Rule::wrap_around)},
            {"the channels are swapped (RGB for BGR)", swapped_channels}};
}

}  // namespace gold
