#pragma once

// Memory around images, filled with a known byte: what a variant writes there shows.

#include <opencv2/core.hpp>
#include <string>

#include "harness/device.hpp"

namespace common {

/// An image of `shape` full of `fill` inside a larger one of guard bytes, so that its rows are not
/// contiguous and its surroundings are known.
cv::Mat guarded(const Shape& shape, unsigned char fill);

/// The bytes of a guarded image and of what is around it.
cv::Mat surrounded(const cv::Mat& guarded_image);

/// The position of the image's bytes in `surrounded`.
cv::Rect inside_of(const cv::Mat& guarded_image);

/// Looks at bytes around `inside`, a part of `memory` (CV_8UC1). Returns "" if all of them are
/// guard bytes; otherwise where the first other one is, counted from the image's first byte.
std::string first_damage(const cv::Mat& memory, const cv::Rect& inside);

/// Whether two images of one size and type are equal, byte by byte.
bool equal_bytes(const cv::Mat& a, const cv::Mat& b);

}  // namespace common
