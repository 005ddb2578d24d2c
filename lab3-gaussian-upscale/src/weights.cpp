#include "weights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "common/error.hpp"

namespace upscale {
namespace {

Weights normalised(int radius, const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    Weights weights;
    weights.radius = radius;
    for (std::size_t i = 0; i < values.size(); ++i) {
        weights.values[i] = static_cast<float>(values[i] / sum);
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
    std::vector<double> values;
    for (int k = -radius; k <= radius; ++k) {
        const double d = k + 0.25;
        values.push_back(std::exp(-d * d / (2 * sigma * sigma)));
    }
    return normalised(radius, values);
}

Weights bicubic_weights() {
    std::vector<double> values;
    for (int k = -2; k <= 2; ++k) values.push_back(cubic(k + 0.25));
    return normalised(2, values);
}

}  // namespace upscale
