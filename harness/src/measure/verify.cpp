#include "harness/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace harness {
namespace {

template <class T>
class Comparison {
  public:
    Comparison(const cv::Mat& low, const cv::Mat& high, const cv::Mat& out,
               const Agreement& agreement, int margin)
        : low_(low),
          high_(high),
          out_(out),
          tolerance_(agreement.tolerance),
          margin_(agreement.inside_only ? margin : 0) {}

    Verdict run() {
        for (int y = margin_; y < out_.rows - margin_; ++y) compare_row(y);
        if (!verdict_.ok()) verdict_.difference = difference();
        return verdict_;
    }

  private:
    const cv::Mat& low_;
    const cv::Mat& high_;
    const cv::Mat& out_;
    double tolerance_;
    int margin_;
    Verdict verdict_;

    double distance(int y, int i) const {
        const auto value = static_cast<double>(out_.ptr<T>(y)[i]);
        const auto low = static_cast<double>(low_.ptr<T>(y)[i]);
        const auto high = static_cast<double>(high_.ptr<T>(y)[i]);
        return std::max({low - value, value - high, 0.0}) + (value - value);  // NaN stays NaN
    }

    int first() const { return margin_ * out_.channels(); }
    int last() const { return (out_.cols - margin_) * out_.channels(); }

    /// The compiler vectorizes this loop, which is all that is needed for most rows.
    bool row_is_within_bounds(int y) const {
        const T* const out = out_.ptr<T>(y);
        const T* const low = low_.ptr<T>(y);
        const T* const high = high_.ptr<T>(y);
        bool within = true;
        for (int i = first(); i < last(); ++i) {
            within &= (low[i] <= out[i]) & (out[i] <= high[i]);  // false for NaN
        }
        return within;
    }

    void compare_row(int y) {
        if (row_is_within_bounds(y)) {
            verdict_.values += std::max(last() - first(), 0);
            return;
        }
        for (int i = first(); i < last(); ++i) {
            const double error = distance(y, i);
            ++verdict_.values;
            if (!(error <= verdict_.max_abs_error)) verdict_.max_abs_error = error;
            if (error <= tolerance_) continue;
            if (verdict_.wrong++ == 0) remember(y, i);
        }
    }

    void remember(int y, int i) {
        verdict_.x = i / out_.channels();
        verdict_.y = y;
        verdict_.c = i % out_.channels();
        verdict_.low = static_cast<double>(low_.ptr<T>(y)[i]);
        verdict_.high = static_cast<double>(high_.ptr<T>(y)[i]);
        verdict_.actual = static_cast<double>(out_.ptr<T>(y)[i]);
    }

    /// Black where right; a wrong value is at least a visible gray.
    cv::Mat difference() const {
        cv::Mat image = cv::Mat::zeros(out_.rows, out_.cols, CV_8UC(out_.channels()));
        for (int y = margin_; y < out_.rows - margin_; ++y) {
            for (int i = first(); i < last(); ++i) {
                const double error = distance(y, i);
                if (error <= tolerance_) continue;
                image.ptr<uchar>(y)[i] = static_cast<uchar>(error < 191 ? 64 + error : 255);
            }
        }
        return image;
    }
};

}  // namespace

std::string Verdict::text() const {
    if (ok()) return fmt::format("all {} values right", values);
    const std::string expected =
        low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
    return fmt::format(
        "first wrong value at (x={}, y={}, c={}): expected {}, got {}; {} of {} values wrong, "
        "largest error {}",
        x, y, c, expected, actual, wrong, values, max_abs_error);
}

static void require_same_type(const cv::Mat& low, const cv::Mat& high, const cv::Mat& out) {
    if (low.size != out.size || high.size != out.size || low.type() != out.type() ||
        high.type() != out.type()) {
        throw std::invalid_argument("compare: images of different size or type");
    }
}

Verdict compare(const cv::Mat& low, const cv::Mat& high, const cv::Mat& out,
                const Agreement& agreement, int margin) {
    require_same_type(low, high, out);
    switch (out.depth()) {
        case CV_8U:
            return Comparison<uchar>(low, high, out, agreement, margin).run();
        case CV_32S:
            return Comparison<int>(low, high, out, agreement, margin).run();
        case CV_32F:
            return Comparison<float>(low, high, out, agreement, margin).run();
        case CV_64F:
            return Comparison<double>(low, high, out, agreement, margin).run();
        default:
            throw std::invalid_argument("compare: unsupported type of values");
    }
}

Verdict compare_int64(const cv::Mat& low, const cv::Mat& high, const cv::Mat& out,
                      const Agreement& agreement, int margin) {
    require_same_type(low, high, out);
    return Comparison<std::int64_t>(low, high, out, agreement, margin).run();
}

}  // namespace harness
