#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "harness/testing.hpp"
#include "problem/filter.hpp"

namespace mistakes {

/// The results of common mistakes for an image and a filter: the definition with one thing changed.
/// `block` is that of a kernel.
std::vector<harness::KnownMistake> of(const cv::Mat& image, const upscale::Filter& filter,
                                      std::optional<common::Block> block);

/// Two of them at once: along different axes, or along an axis and in the values.
std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image, const upscale::Filter& filter,
                                            std::optional<common::Block> block);

/// Whether the weights are those of an earlier filter: with its radius, or the first of them with
/// the radius of `filter`.
bool kept_weights(const upscale::Filter& filter, const upscale::Filter& earlier, const cv::Mat& in,
                  const cv::Mat& out);

}  // namespace mistakes
