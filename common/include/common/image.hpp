#pragma once

#include <filesystem>
#include <opencv2/core.hpp>

namespace common {

/// Loads an image file: 8-bit, 1 or 3 (BGR) channels, upright. Notes on stderr say what was
/// changed: values are scaled to 255 and rounded, alpha is dropped, of several pictures the first
/// is taken. Throws BadUsage, naming the file, for one that is missing, empty, truncated, damaged
/// or no image, or whose values or colours OpenCV's decoder may change.
cv::Mat load_image(const std::filesystem::path& path);

/// Throws BadUsage unless `path` has the extension of an image format that OpenCV writes, and as
/// check_writable does.
void check_writable_image(const std::filesystem::path& path);

/// Throws BadUsage, naming the limit and formats without it, unless the format of `path` gives an
/// image of that size and OpenCV type back.
void check_format_holds(const std::filesystem::path& path, int width, int height, int type);

/// Writes the image as write_file does. Throws Failed if the format cannot hold it.
void write_image(const std::filesystem::path& path, const cv::Mat& image);

}  // namespace common
