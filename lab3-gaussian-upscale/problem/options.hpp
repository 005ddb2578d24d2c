#pragma once

#include <algorithm>
#include <cstdint>

#include "common/options.hpp"
#include "weights.hpp"

namespace upscale {

/// The resampling kernel. All but the Gaussian interpolate, and libraries have them too. `learned`
/// is the bicubic one and what a network adds to it.
enum class Method { gauss, bicubic, lagrange, bilinear, lanczos, learned };

struct Network;

/// The parameters of a variant.
struct Options : common::RunOptions {
    Method method = Method::gauss;
    Weights weights{};
    float sigma = 0;  ///< of the Gaussian, for a variant that computes its own weights
    const Network* network = nullptr;  ///< of the method `learned`, null for all others
};

/// A weighted sum as a pixel value: rounded to nearest; sums with negative weights can leave
/// 0..255.
constexpr std::uint8_t to_pixel(float sum) {
    return static_cast<std::uint8_t>(std::clamp(sum + 0.5f, 0.0f, 255.0f));
}

}  // namespace upscale
