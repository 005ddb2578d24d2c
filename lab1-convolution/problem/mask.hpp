#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

namespace convolution {

/// n x n weights, n odd. Small enough for a kernel parameter, which lies in constant memory.
struct Mask {
    static constexpr int max_size = 15;

    int size = 1;
    float weights[max_size * max_size] = {1};

    /// Row `i` and column `j`, both from 0: the weight of the neighbour (x + j - k, y + i - k).
    constexpr float at(int i, int j) const { return weights[i * size + j]; }

    /// k = floor(n / 2)
    constexpr int radius() const { return size / 2; }
};

/// Names of the built-in filters.
std::span<const std::string_view> filter_names();

/// The built-in filter of that name; throws common::BadUsage naming the accepted ones.
Mask find_filter(std::string_view name);

/// Reads a mask from a text file: n lines of n numbers, n odd and at most 15; `#` starts a comment.
/// Throws common::BadUsage, which names the error and its line; also if 255 times the sum of the
/// absolute values is no finite float.
Mask read_mask(const std::string& path);

/// A Gaussian of n x n weights, normalised; used where only the size of a mask matters.
Mask gaussian_mask(int size);

/// Weights of similar magnitude without structure: not separable, and three digits in base 256.
Mask irregular_mask(int size);

/// True if every sum of this mask over 8-bit pixels is exact in float, in any order: all weights
/// are multiples of 2^-8, and 255 * sum |K| * 2^8 fits the 24-bit significand.
inline bool sums_are_exact(const Mask& mask) {
    double magnitude = 0;
    for (int i = 0; i < mask.size * mask.size; ++i) {
        const double steps = static_cast<double>(mask.weights[i]) * 256;
        if (steps != std::floor(steps)) return false;
        magnitude += std::abs(steps);
    }
    return 255 * magnitude <= 1 << 24;
}

}  // namespace convolution
