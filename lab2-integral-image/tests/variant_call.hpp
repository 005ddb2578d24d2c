#pragma once

// The common part of this lab's tests: images, and a variant with an image, as the harness checks
// it.

#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/testing.hpp"
#include "problem/variant.hpp"

/// Calls a variant on an image. `tile` is set for kernels that use tiling.
harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const std::string& parameters,
                                      std::optional<common::Block> tile = std::nullopt);

/// The same for a variant of this lab.
harness::VariantCall variant_call_for(const integral::Variant& variant,
                                      const integral::Options& options, const cv::Mat& image,
                                      const std::string& parameters);

/// The tiles of a quadratic kernel.
std::optional<common::Block> tile_of(const integral::Variant& variant,
                                     const integral::Options& options);

/// Independent pixels of 0 to 255. Their sums fit 32 bits up to 8 megapixels.
cv::Mat bytes(int width, int height);

/// Independent pixels of either sign, which need 64-bit sums from two pixels on.
cv::Mat wide(int width, int height);
