#pragma once

#include <opencv2/core.hpp>

#include "options.hpp"

namespace upscale {

/// The amount of edges and of grain in an image.
struct EdgeContent {
    double gradient = 0;   ///< mean length of the gradient, in gray levels per pixel
    double curvature = 0;  ///< mean absolute value of the Laplacian, in gray levels

    /// Curvature over gradient: under 1 for smooth images, about 2 for sharp ones, near 4 for
    /// noise. 0 for a constant image.
    double roughness() const { return gradient > 0 ? curvature / gradient : 0; }
};

/// Takes an 8-bit image with 1 or 3 channels (BGR), and turns it to gray.
EdgeContent edge_content(const cv::Mat& image);

/// The rule of `--method auto`: the Gaussian for an image with few edges (gradient under 3.5) and
/// much grain (roughness above 2.2), the bicubic method for all others. Negative weights sharpen
/// edges, and amplify grain.
Method method_for(const EdgeContent& content);

}  // namespace upscale
