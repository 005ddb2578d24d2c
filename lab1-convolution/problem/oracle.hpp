#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "harness/verify.hpp"
#include "mask.hpp"

// The test oracle: the definition in double precision. Tests, `run --verify` and the benchmark
// compare with it. It shares no code with the variants.

namespace convolution {

/// The weighted sums of one output row, and the sums of the magnitudes of their products.
struct RowSums {
    std::vector<double> sums;
    std::vector<double> magnitudes;
};
RowSums row_sums(const cv::Mat& in, const Mask& mask, int y);

/// The least and the greatest output that the definition allows. Float operations in any order lose
/// at most gamma_n sum |I K| for n weights (Higham, "Accuracy and Stability of Numerical
/// Algorithms", section 3.1). Where float sums are exact, both are the same.
struct Bounds {
    cv::Mat low;
    cv::Mat high;
};
Bounds bounds(const cv::Mat& in, const Mask& mask);

/// Accepts an output within the bounds.
harness::Check oracle(const cv::Mat& in, const Mask& mask);

}  // namespace convolution
