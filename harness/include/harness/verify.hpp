#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <string>

#include "harness/job.hpp"

namespace harness {

/// The comparison of an output with the values that the definition allows.
struct Verdict {
    std::int64_t values = 0;     ///< compared
    std::int64_t wrong = 0;      ///< outside the allowed values (by more than the tolerance)
    double max_abs_error = 0;    ///< largest distance from the allowed values
    int x = -1, y = -1, c = -1;  ///< the first wrong value, in row order
    double low = 0, high = 0;    ///< what was allowed there
    double actual = 0;           ///< what was found there
    cv::Mat difference{};  ///< distance per value, scaled to be visible; empty if all are right

    bool ok() const { return wrong == 0; }

    /// "first wrong value at (x=3, y=4, c=1): expected 17, got 18; 1 of 3069 values wrong (…)".
    std::string text() const;
};

/// Compares an output with the definition, within `agreement`.
using Check = std::function<Verdict(const cv::Mat& out, const Agreement& agreement)>;

/// Every value of `out` must lie in [low, high], which are images of its type: two equal images
/// where the result is exact, and a derived bound's two ends where it is not. `margin` is the width
/// of the border that an `inside_only` agreement leaves out. NaN is always wrong.
Verdict compare(const cv::Mat& low, const cv::Mat& high, const cv::Mat& out,
                const Agreement& agreement = {}, int margin = 0);

/// The OpenCV type that stands for images of std::int64_t: cv::Mat has no such type, and CV_64FC1
/// has 8 bytes too.
inline constexpr int int64_carrier = CV_64FC1;

/// The same as `compare` for such images.
Verdict compare_int64(const cv::Mat& low, const cv::Mat& high, const cv::Mat& out,
                      const Agreement& agreement = {}, int margin = 0);

}  // namespace harness
