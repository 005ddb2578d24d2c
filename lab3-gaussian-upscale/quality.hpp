#pragma once

#include <opencv2/core.hpp>

namespace upscale {

// Measures of the distance of a picture from the original. Both are 8-bit images of the same size
// and number of channels, all of which have the same weight.

/// Peak signal-to-noise ratio in dB, 10 log10(255^2 / mean squared error): infinite for a picture
/// equal to the original.
double psnr(const cv::Mat& original, const cv::Mat& picture);

/// Structural similarity, 1 for a picture equal to the original (Wang, Bovik, Sheikh, Simoncelli,
/// "Image quality assessment: from error visibility to structural similarity", IEEE TIP 2004): with
/// their Gaussian window of 11x11 and sigma 1.5, K1 = 0.01, K2 = 0.03; windows that cross the
/// border see the image mirrored.
double ssim(const cv::Mat& original, const cv::Mat& picture);

/// Half as wide and high, each pixel the mean of four; an odd last row or column is left out.
/// Throws BadUsage for an image of less than 2x2.
cv::Mat halved(const cv::Mat& image);

}  // namespace upscale
