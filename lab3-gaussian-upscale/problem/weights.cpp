#include "weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/error.hpp"

namespace upscale {
namespace {

/// The weights w(k + 0.25), normalized.
template <class Weight>
Weights normalized(int radius, Weight w) {
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += w(k + 0.25);
    Weights weights;
    weights.radius = radius;
    for (int k = -radius; k <= radius; ++k) {
        weights.values[radius + k] = static_cast<float>(w(k + 0.25) / sum);
    }
    return weights;
}

/// The cubic convolution kernel at distance d.
double cubic(double d) {
    constexpr double a = -0.75;
    const double x = std::fabs(d);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

/// The weight of a node at distance d from the sample: the polynomial that is 1 there and 0 at the
/// other three of four nodes, of which two lie on each side.
double lagrange(double d) {
    const double x = std::fabs(d);
    if (x <= 1) return (1 - x) * (1 + x) * (2 - x) / 2;
    if (x < 2) return (1 - x) * (2 - x) * (3 - x) / 6;
    return 0;
}

double lanczos(double d) {
    const auto sinc = [](double x) {
        return std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
    };
    return std::fabs(d) < 4 ? sinc(d) * sinc(d / 4) : 0;
}

}  // namespace

Weights gaussian_weights(int radius, double sigma) {
    if (radius < 1 || radius > Weights::max_radius) {
        throw common::BadUsage(
            fmt::format("--radius {}: expected 1 to {}", radius, Weights::max_radius));
    }
    // Below 0.05, exp(-0.25^2 / (2 sigma^2)), the largest weight, is no longer a normal number.
    if (!(sigma >= 0.05 && sigma <= 1000)) {
        throw common::BadUsage(fmt::format("--sigma {}: expected 0.05 to 1000", sigma));
    }
    return normalized(radius, [&](double d) { return std::exp(-d * d / (2 * sigma * sigma)); });
}

Weights bicubic_weights() {
    return normalized(2, cubic);
}

Weights lagrange_weights() {
    return normalized(2, lagrange);
}

Weights bilinear_weights() {
    return normalized(1, [](double d) { return std::max(0.0, 1 - std::fabs(d)); });
}

Weights lanczos_weights() {
    return normalized(4, lanczos);
}

}  // namespace upscale
