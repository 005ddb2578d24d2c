#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>

#include "harness/verify.hpp"

// The oracle: what every variant has to produce, for `run --verify`, the benchmark and the tests.
// It follows the definition in double precision and shares no code with any variant.
namespace equalize::oracle {

using Counts = std::array<std::int64_t, 256>;
using Table = std::array<int, 256>;

Counts histogram(const cv::Mat& image);

/// The inclusive scan.
Counts cdf(const Counts& histogram);

/// The CDF of the darkest level that occurs.
std::int64_t cdf_min(const Counts& histogram);

/// The values of cv::equalizeHist. A level darker than all pixels becomes 0; the table of a
/// constant image is the identity.
Table table(const Counts& histogram);

cv::Mat look_up(const cv::Mat& image, const Table& table);

/// The equalized image; of a colour picture, the one whose luma is equalized.
cv::Mat equalized(const cv::Mat& image);

/// Accepts equalized(image) only.
harness::Check check(const cv::Mat& image);

}  // namespace equalize::oracle
