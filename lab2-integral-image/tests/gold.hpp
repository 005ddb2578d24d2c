#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "common/options.hpp"
#include "harness/testing.hpp"
#include "harness/verify.hpp"

// The definition of the lab once more, for the tests: written from the handout's formula, in exact
// 64-bit integers. It shares no code with src/. Images of sums are common::int64_carrier here.
namespace gold {

/// The sum of all I(i, j) with i <= x and j <= y, added up one by one.
std::int64_t sum_at(const cv::Mat& image, int x, int y);

/// The same for all pixels, by S(x,y) = I(x,y) + S(x-1,y) + S(x,y-1) - S(x-1,y-1).
cv::Mat sums(const cv::Mat& image);

/// CV_32SC1 if no sum can need more, whatever the signs: width * height * max|pixel| < 2^31.
int type_of_sums(const cv::Mat& image);

/// 64-bit sums as an image of that type; what does not fit wraps around.
cv::Mat as_type(const cv::Mat& sums, int type);

/// Accepts the sums of the image and nothing else, in their type.
common::Check check(const cv::Mat& image);

/// The mistakes that people make in this lab; `tile` is set for kernels that work in tiles.
std::vector<common::Suspicion> suspicions(const cv::Mat& image, std::optional<common::Block> tile);

}  // namespace gold
