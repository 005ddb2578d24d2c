#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "harness/testing.hpp"
#include "harness/verify.hpp"

// The definition of the lab once more, for the tests: written from the handout's formula, in double
// precision. It shares no code with src/.
namespace gold {

/// Weights, row i and column j; square, of odd size.
using Weights = cv::Mat_<double>;

/// How a sum becomes a pixel. Only the first is right; the others are what mistakes lead to.
enum class Rule { clamp_and_truncate, round_to_nearest, wrap_around };

/// The output that exact arithmetic gives.
cv::Mat convolved(const cv::Mat& image, const Weights& weights,
                  Rule rule = Rule::clamp_and_truncate);

/// The least and the greatest output that n*n float operations in any order may give; the same
/// where all weights are small multiples of 1/256.
struct Bounds {
    cv::Mat low;
    cv::Mat high;
};
Bounds bounds(const cv::Mat& image, const Weights& weights);

/// Accepts what is within the bounds.
common::Check check(const cv::Mat& image, const Weights& weights);

/// The mistakes that people make in this lab.
std::vector<common::Suspicion> suspicions(const cv::Mat& image, const Weights& weights);

}  // namespace gold
