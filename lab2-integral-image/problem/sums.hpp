#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <string>

namespace integral {

/// The type of the sums of an image of 32-bit pixels: CV_32SC1 if width * height * max|pixel| fits
/// into 32 bits, which no sum can then exceed, otherwise harness::int64_carrier. Throws BadUsage if
/// 64 bits do not suffice either.
int sum_type(const cv::Mat& in);

/// The same for an image of this size whose pixels are at most `largest`.
int sum_type(int width, int height, std::int64_t largest);

/// Adds `row` to every row of `sums`.
void add_row(const cv::Mat& row, cv::Mat& sums, int threads);

/// Throws BadUsage unless `path` ends in .npy or an image format's extension and can be written.
void check_writable_sums(const std::filesystem::path& path);

/// The same for pictures whose format does not hold that many columns or rows.
void check_size_of_sums(const std::filesystem::path& path, int width, int height);

/// Writes the sums: as a NumPy array (rows, columns) of int32 or int64, or, if the extension is an
/// image format's, as a gray picture in which the largest sum is white. Returns what was written:
/// "32-bit sums", or the scale too.
std::string write_sums(const std::filesystem::path& path, const cv::Mat& sums);

}  // namespace integral
