#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "common/testing.hpp"
#include "common/verify.hpp"

// The definition of the lab once more, for the tests: written from the handout's formula, in double
// precision, one output value at a time. It shares no code with src/.
namespace gold {

/// Weights, row i and column j; square, of odd size.
using Weights = cv::Mat_<double>;

/// How a sum becomes a pixel. Only the first is right; the others are what mistakes lead to.
enum class Rule { clamp_and_truncate, round_to_nearest, wrap_around };

/// The weighted sum at channel `c` of pixel (x, y), and the sum of the magnitudes of its terms.
struct Sum {
    double value = 0;
    double magnitude = 0;
};
Sum weighted_sum(const cv::Mat& image, const Weights& weights, int x, int y, int c);

/// The output that exact arithmetic gives.
cv::Mat convolved(const cv::Mat& image, const Weights& weights,
                  Rule rule = Rule::clamp_and_truncate);

/// Accepts what n*n float operations in any order may give; exactly one value per output where
/// all weights are small multiples of 1/256.
common::Check check(const cv::Mat& image, const Weights& weights);

/// The mistakes that people make in this lab.
std::vector<common::Suspicion> suspicions(const cv::Mat& image, const Weights& weights);

}  // namespace gold
