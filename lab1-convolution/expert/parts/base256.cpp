#include "base256.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "ladder/parts/separable.hpp"

namespace convolution {
namespace {

/// The largest integer with so many digits.
constexpr int largest(int count) {
    return count == 0 ? 0 : 256 * largest(count - 1) + 127;
}

/// The digits of `values`, `count` each.
std::vector<std::int8_t> digits_of(std::span<const double> values, int count) {
    std::vector<std::int8_t> digits;
    std::vector<std::int64_t> rest(values.begin(), values.end());
    for (int digit = 0; digit < count; ++digit) {
        for (std::int64_t& value : rest) {
            const std::int64_t last = ((value + 128) & 255) - 128;
            digits.push_back(static_cast<std::int8_t>(last));
            value = (value - last) / 256;
        }
    }
    return digits;
}

/// Weights that are integers times `scale`, with at most `most` digits.
std::optional<Base256> exact_digits(std::span<const double> integers, int size, double scale,
                                    int most) {
    double greatest = 0;
    for (const double integer : integers) greatest = std::max(greatest, std::abs(integer));
    for (int count = 1; count <= most; ++count) {
        if (greatest > largest(count)) continue;
        return Base256{.size = size,
                       .digits = count,
                       .values = digits_of(integers, count),
                       .scale = static_cast<float>(scale)};
    }
    return std::nullopt;
}

/// True if all sums of three digits fit.
bool has_digits(const Mask& mask) {
    double magnitude = 0;
    for (int i = 0; i < mask.size * mask.size; ++i) magnitude += std::abs(mask.weights[i]);
    return magnitude > 0 && 255 * magnitude < 1 << 21;
}

}  // namespace

std::optional<Base256> rounded_to_base_256(const Mask& mask) {
    if (!has_digits(mask)) return std::nullopt;
    const int count = mask.size * mask.size;
    const std::vector<double> weights(mask.weights, mask.weights + count);
    double greatest = 0;
    for (const double weight : weights) greatest = std::max(greatest, std::abs(weight));
    const int exponent = std::ilogb(largest(3) / greatest);  // 2^exponent times any fits
    const double tolerance = (count - 3) * 0x1p-24;
    std::vector<double> integers;
    for (const double weight : weights) {
        integers.push_back(std::nearbyint(std::ldexp(weight, exponent)));
        const double error = std::ldexp(integers.back(), -exponent) - weight;
        if (!(std::abs(error) <= tolerance * std::abs(weight))) return std::nullopt;
    }
    return Base256{.size = mask.size,
                   .digits = 3,
                   .values = digits_of(integers, 3),
                   .scale = static_cast<float>(std::ldexp(1, -exponent))};
}

std::optional<Base256> in_base_256(const Mask& mask) {
    if (!has_digits(mask)) return std::nullopt;
    const auto count = static_cast<std::size_t>(mask.size * mask.size);
    if (const Decomposition found = decompose(mask); found.in_16_bits) {
        const std::vector<double> integers(found.weights, found.weights + count);
        auto result = exact_digits(integers, mask.size, found.scale, found.shift < 0 ? 1 : 2);
        if (result) {
            result->shift = found.shift;
            result->divisor = found.divisor;
            return result;
        }
    }
    if (!sums_are_exact(mask)) return rounded_to_base_256(mask);
    std::vector<double> integers(count);
    std::transform(mask.weights, mask.weights + count, integers.begin(),
                   [](double w) { return 256 * w; });
    auto result = exact_digits(integers, mask.size, 0x1p-8, 2);
    if (result) result->shift = 8;
    return result;
}

}  // namespace convolution
