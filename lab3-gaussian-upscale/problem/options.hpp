#pragma once

#include <algorithm>
#include <cstdint>

#include "common/options.hpp"
#include "weights.hpp"

namespace upscale {

/// What the weights are made from. All but the Gaussian are interpolations that libraries have too.
enum class Method { gauss, bicubic, lagrange, bilinear, lanczos };

/// What a variant is told besides the image.
struct Options : common::RunOptions {
    Method method = Method::gauss;
    Weights weights{};
    float sigma = 0;  ///< of the Gaussian, for cuda_naive, which works its weights out by itself
};

/// A weighted sum as a pixel value: rounded to nearest; sums with negative weights can leave
/// 0..255.
constexpr std::uint8_t to_pixel(float sum) {
    return static_cast<std::uint8_t>(std::clamp(sum + 0.5f, 0.0f, 255.0f));
}

}  // namespace upscale
