#include "gold.hpp"

#include <cmath>

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

}  // namespace

Sum weighted_sum(const cv::Mat& image, const Weights& weights, int x, int y, int c) {
    const int k = (weights.rows - 1) / 2;
    Sum sum;
    for (int i = -k; i <= k; ++i) {
        for (int j = -k; j <= k; ++j) {
            const bool outside =
                y + i < 0 || y + i > image.rows - 1 || x + j < 0 || x + j > image.cols - 1;
            if (outside) continue;
            const double term =
                image.ptr(y + i)[(x + j) * image.channels() + c] * weights(i + k, j + k);
            sum.value += term;
            sum.magnitude += std::fabs(term);
        }
    }
    return sum;
}

cv::Mat convolved(const cv::Mat& image, const Weights& weights, Rule rule) {
    cv::Mat out(image.size(), image.type());
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                out.ptr(y)[x * image.channels() + c] =
                    pixel(weighted_sum(image, weights, x, y, c).value, rule);
            }
        }
    }
    return out;
}

common::Check check(const cv::Mat& image, const Weights& weights) {
    // Each of the n products, and each of the n - 1 additions, is off by at most a factor 1 +
    // 2^-24.
    const double n = static_cast<double>(weights.total());
    const double relative = exact_in_float(weights) ? 0 : n * 0x1p-24 / (1 - n * 0x1p-24);
    cv::Mat low(image.size(), image.type());
    cv::Mat high(image.size(), image.type());
#pragma omp parallel for
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                const Sum sum = weighted_sum(image, weights, x, y, c);
                const double slack = relative * sum.magnitude;
                low.ptr(y)[x * image.channels() + c] = truncated(sum.value - slack);
                high.ptr(y)[x * image.channels() + c] = truncated(sum.value + slack);
            }
        }
    }
    return
        [low, high, k = weights.rows / 2](const cv::Mat& out, const common::Agreement& agreement) {
            return common::compare(low, high, out, agreement, k);
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
