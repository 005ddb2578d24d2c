#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "harness/testing.hpp"

namespace mistakes {

/// The results of common mistakes for an image: the definition with one thing changed. `block` is
/// that of a kernel, `ranks` the number of processes.
std::vector<harness::KnownMistake> of(const cv::Mat& image, std::optional<common::Block> block,
                                      int ranks = 1);

/// Along the rows and along the columns, a different one.
std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image);

/// Sums that contain those of other pixels, which the thread has computed before.
harness::KnownMistake of_kept_sums(const cv::Mat& right);

/// Sums of parts of a row that have 32 bits, where the sums have 64.
std::vector<harness::KnownMistake> of_32_bit_sums(const cv::Mat& image);

/// Sums that are added up in float.
std::vector<harness::KnownMistake> of_float_sums(const cv::Mat& image);

}  // namespace mistakes
