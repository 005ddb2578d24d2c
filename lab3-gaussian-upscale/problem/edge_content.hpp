#pragma once

#include <opencv2/core.hpp>

#include "options.hpp"

namespace upscale {

/// What there is of edges in a picture, and of grain.
struct EdgeContent {
    double gradient = 0;   ///< mean length of the gradient, in gray levels per pixel
    double curvature = 0;  ///< mean absolute value of the Laplacian, in gray levels

    /// Curvature over gradient: under 1 for slow changes, about 2 for sharp pictures, near 4 for
    /// noise, which changes from every pixel to the next. 0 for a constant picture.
    double roughness() const { return gradient > 0 ? curvature / gradient : 0; }
};

/// Of an 8-bit image with 1 or 3 channels (BGR), in gray.
EdgeContent edge_content(const cv::Mat& image);

/// The rule of `--method auto`: the Gaussian for a picture with few edges (gradient under 3.5) and
/// much grain (roughness above 2.2), the bicubic method for all others. Its weights are partly
/// negative, which makes edges steep, and grain coarse. The report says how good the rule is.
Method method_for(const EdgeContent& content);

}  // namespace upscale
