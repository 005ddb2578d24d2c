#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "harness/testing.hpp"
#include "problem/mask.hpp"

namespace mistakes {

/// The results of common mistakes for an image and a mask: the definition with one thing changed.
/// `block` is that of a kernel.
std::vector<harness::KnownMistake> of(const cv::Mat& image, const convolution::Mask& mask,
                                      std::optional<common::Block> block);

/// Two of them at once, that change different things.
std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image, const convolution::Mask& mask,
                                            std::optional<common::Block> block);

}  // namespace mistakes
