#pragma once

#include <opencv2/core.hpp>

#include "filter.hpp"
#include "harness/verify.hpp"

// The oracle: the definition in double precision, for `run --verify`, `bench` and the tests. It
// shares no code with the variants.

namespace upscale {

/// The accepted error of float arithmetic, in addition to the 0.5 of rounding.
inline constexpr double float_error = 1e-3;

/// The rules of the definition. The tests change one to describe a common mistake.
struct Rules {
    double even_offset = 0.25;  ///< distance of tap 0 from the sample, for even columns and rows
    double odd_offset = -0.25;
    enum Border { clamped, skipped, skipped_not_normalized } border = clamped;
};

/// The weighted means of a CV_8U image: CV_64F, twice as wide and high.
cv::Mat weighted_means(const cv::Mat& in, const Filter& filter, const Rules& rules = {});

/// The smallest and the largest allowed output: the values within 0.5 + float_error of the means.
struct Bounds {
    cv::Mat low;
    cv::Mat high;
};
Bounds bounds(const cv::Mat& in, const Filter& filter);

/// The result of the method `learned`, which is exact: network.hpp.
cv::Mat learned(const cv::Mat& in, const Network& network);

/// Accepts the outputs within the bounds; of the method `learned`, the exact one.
harness::Check oracle(const cv::Mat& in, const Filter& filter);

}  // namespace upscale
