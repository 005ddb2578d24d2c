#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace upscale {
namespace {

double sinc(double d) {
    const double angle = std::numbers::pi * d;
    return d == 0 ? 1 : std::sin(angle) / angle;
}

/// The weight of a tap at distance d from the sample, before normalization.
double weight(const Filter& filter, double d) {
    const double x = std::fabs(d);
    switch (filter.method) {
        case Method::gauss:
            return std::exp(-d * d / (2 * filter.sigma * filter.sigma));
        case Method::bicubic:
        case Method::learned:
            if (x <= 1) return 1.25 * x * x * x - 2.25 * x * x + 1;
            return x < 2 ? -0.75 * (x * x * x - 5 * x * x + 8 * x - 4) : 0;
        case Method::lagrange:
            if (x <= 1) return (1 - x * x) * (2 - x) / 2;
            return x < 2 ? (1 - x) * (2 - x) * (3 - x) / 6 : 0;
        case Method::bilinear:
            return x < 1 ? 1 - x : 0;
        case Method::lanczos:
            return x < 4 ? sinc(x) * sinc(x / 4) : 0;
    }
    throw std::invalid_argument("no such method");
}

/// The number of taps on each side of tap 0 that can have a weight.
int reach(const Filter& filter) {
    switch (filter.method) {
        case Method::gauss:
            return filter.radius;
        case Method::bilinear:
            return 1;
        case Method::bicubic:
        case Method::lagrange:
        case Method::learned:
            return 2;
        case Method::lanczos:
            return 4;
    }
    throw std::invalid_argument("no such method");
}

/// One axis of the filter: two-dimensional weights are products, so a mean over a square of taps is
/// a mean over a column of means over rows.
struct Axis {
    int size;    ///< source pixels
    int radius;  ///< of the taps
    std::vector<double> weights{};

    /// Those of the 2 radius + 1 taps of an output column or row.
    const double* weights_of(int output) const {
        return &weights[static_cast<std::size_t>(output) * static_cast<std::size_t>(taps())];
    }
    int taps() const { return 2 * radius + 1; }
    int clamped(int at) const { return std::clamp(at, 0, size - 1); }
};

Axis axis_of(int size, const Filter& filter, const Rules& rules) {
    Axis axis{size, reach(filter)};
    for (int output = 0; output < 2 * size; ++output) {
        const double offset = output % 2 == 0 ? rules.even_offset : rules.odd_offset;
        double sum = 0;
        for (int k = -axis.radius; k <= axis.radius; ++k) {
            const double w = weight(filter, k + offset);
            const int at = output / 2 + k;
            const bool skipped = rules.border != Rules::clamped && at != axis.clamped(at);
            axis.weights.push_back(skipped ? 0 : w);
            if (!skipped || rules.border == Rules::skipped_not_normalized) sum += w;
        }
        for (auto w = axis.weights.end() - axis.taps(); w != axis.weights.end(); ++w) *w /= sum;
    }
    return axis;
}

/// Calls use(Y, means) for every output row, on several threads.
template <class Use>
void for_each_row(const cv::Mat& in, const Filter& filter, const Rules& rules, Use use) {
    const Axis columns = axis_of(in.cols, filter, rules);
    const Axis rows = axis_of(in.rows, filter, rules);
    const int r = rows.radius;
    const int channels = in.channels();
    const int length = in.cols * channels;
#pragma omp parallel if (in.total() > 2'000)
    {
        // The sums over columns, with a halo of clamped pixels on both sides, and the means.
        std::vector<double> padded(static_cast<std::size_t>(length + 2 * r * channels));
        std::vector<double> means(2 * static_cast<std::size_t>(length));
        double* const sums = padded.data() + r * channels;
#pragma omp for
        for (int Y = 0; Y < 2 * in.rows; ++Y) {
            std::fill(padded.begin(), padded.end(), 0.0);
            for (int k = 0; k < rows.taps(); ++k) {
                const uchar* row = in.ptr(rows.clamped(Y / 2 + k - r));
                const double w = rows.weights_of(Y)[k];
                for (int i = 0; i < length; ++i) sums[i] += w * row[i];
            }
            for (int i = -1; i >= -r * channels; --i) sums[i] = sums[i + channels];
            for (int i = length; i < length + r * channels; ++i) sums[i] = sums[i - channels];
            double* mean = means.data();
            for (int X = 0; X < 2 * in.cols; ++X) {
                const double* weights = columns.weights_of(X);
                for (int c = 0; c < channels; ++c) {
                    const double* tap = padded.data() + X / 2 * channels + c;
                    double sum = 0;
                    for (int k = 0; k < columns.taps(); ++k) sum += weights[k] * tap[k * channels];
                    *mean++ = sum;
                }
            }
            use(Y, means);
        }
    }
}

uchar byte(double value) {
    return static_cast<uchar>(std::clamp(value, 0.0, 255.0));
}

}  // namespace

cv::Mat weighted_means(const cv::Mat& in, const Filter& filter, const Rules& rules) {
    cv::Mat result(2 * in.rows, 2 * in.cols, CV_64FC(in.channels()));
    for_each_row(in, filter, rules, [&](int Y, const std::vector<double>& means) {
        std::copy(means.begin(), means.end(), result.ptr<double>(Y));
    });
    return result;
}

Bounds bounds(const cv::Mat& in, const Filter& filter) {
    const cv::Size size(2 * in.cols, 2 * in.rows);
    Bounds result{cv::Mat(size, in.type()), cv::Mat(size, in.type())};
    for_each_row(in, filter, {}, [&](int Y, const std::vector<double>& means) {
        constexpr double error = 0.5 + float_error;
        uchar* low = result.low.ptr(Y);
        uchar* high = result.high.ptr(Y);
        for (const double mean : means) {
            *low++ = byte(std::ceil(mean - error));
            *high++ = byte(std::floor(mean + error));
        }
    });
    return result;
}

harness::Check oracle(const cv::Mat& in, const Filter& filter) {
    if (filter.method == Method::learned) {
        return [exact = learned(in, *filter.options().network)](
                   const cv::Mat& out, const common::Agreement& agreement) {
            return harness::compare(exact, exact, out, agreement);
        };
    }
    // Libraries treat the border differently one source pixel further inside than the taps reach.
    const int border = 2 * (reach(filter) + 1);
    return [allowed = bounds(in, filter), border](const cv::Mat& out,
                                                  const common::Agreement& agreement) {
        return harness::compare(allowed.low, allowed.high, out, agreement, border);
    };
}

}  // namespace upscale
