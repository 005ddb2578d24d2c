#pragma once

#include <filesystem>
#include <opencv2/core.hpp>

namespace common {

/// Loads an image file: 8-bit, 1 or 3 (BGR) channels. A 16-bit file is scaled
/// by 255/65535 and rounded, alpha is dropped, each with a note on stderr. Throws BadUsage for a
/// file that is missing, empty, truncated or no image.
cv::Mat load_image(const std::filesystem::path& path);

/// Throws BadUsage unless `path` has the extension of an image format that OpenCV writes, and as
/// check_writable does.
void check_writable_image(const std::filesystem::path& path);

/// Throws BadUsage, naming the limit and formats without it, unless the format of `path` holds an
/// image of that size and OpenCV type.
void check_format_holds(const std::filesystem::path& path, int width, int height, int type);

/// Writes the image as write_file does. Throws Failed if the format cannot hold it.
void write_image(const std::filesystem::path& path, const cv::Mat& image);

}  // namespace common
