#pragma once

// Memory around images, filled with a known byte, so that writes outside of an image are found.

#include <opencv2/core.hpp>
#include <string>

#include "harness/device.hpp"

namespace harness {

/// An image of `shape` filled with `fill`, inside a larger image of guard bytes. Its rows are not
/// contiguous. There are so many rows above and below that a variant that leaves a small image
/// reads guard bytes, not other memory.
cv::Mat guarded(const Shape& shape, unsigned char fill, unsigned char guard = guard_byte);

/// The bytes of a guarded image and of what is around it.
cv::Mat surrounded(const cv::Mat& guarded_image);

/// The position of the image's bytes in `surrounded`.
cv::Rect inside_of(const cv::Mat& guarded_image);

/// Checks the bytes of `memory` (CV_8UC1) outside of `inside`. Returns "" if all of them are guard
/// bytes, otherwise the place of the first other one, counted from the image's first byte.
std::string first_damage(const cv::Mat& memory, const cv::Rect& inside,
                         unsigned char guard = guard_byte);

/// True if two images of one size and type are equal, byte by byte.
bool equal_bytes(const cv::Mat& a, const cv::Mat& b);

}  // namespace harness
