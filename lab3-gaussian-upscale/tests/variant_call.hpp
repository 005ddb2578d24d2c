#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/testing.hpp"
#include "problem/filter.hpp"

// Brings a variant, an image and a filter together for harness::check_call.

inline constexpr upscale::Filter bicubic{.method = upscale::Method::bicubic};
inline constexpr upscale::Filter lagrange{.method = upscale::Method::lagrange};
inline constexpr upscale::Filter bilinear{.method = upscale::Method::bilinear};
inline constexpr upscale::Filter lanczos{.method = upscale::Method::lanczos};

/// `block` is that of a kernel.
harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const upscale::Filter& filter,
                                      const std::string& parameters,
                                      std::optional<common::Block> block = std::nullopt);
