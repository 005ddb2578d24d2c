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

/// Two of them at once: in the counts and in the table, or two in the table.
std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image,
                                            std::optional<common::Block> block);

}  // namespace mistakes
