#include "operations.hpp"

#include <array>

namespace upscale {

std::optional<double> operations_per_value(std::string_view variant, int radius, int channels) {
    const double taps = 2.0 * radius + 1;
    constexpr double multiply_add = 2;
    // Of upscaled.hpp: for each tap of a row, and once more for the row's sum. Then to_pixel's 1.
    const double weighted_mean = multiply_add * taps * (taps + 1) + 1;
    if (variant == "cuda_naive") {
        // Two squares, their sum, the quotient, and expf as one; all channels share a weight.
        constexpr double per_weight = 2 + 1 + 1 + 1;
        constexpr double sum_of_weights = 1;
        return taps * taps * (multiply_add + (per_weight + sum_of_weights) / channels) + 2;
    }
    // Along one axis for half as many values, then along the other.
    for (const std::string_view separable : {"cuda_separable", "omp_best"}) {
        if (variant == separable) return multiply_add * taps * 1.5 + 1;
    }
    if (variant == "cuda_best") {
        // For two outputs a difference and, to each of them, a weighted difference per tap but one:
        // for half as many values along the rows, then along the columns.
        const double half_a_pair = (1 + 2 * multiply_add * (taps - 1)) / 2;
        return half_a_pair * 1.5;
    }
    if (variant == "cuda_texture") return weighted_mean + 1;
    for (const std::string_view same : std::array{"seq", "omp_rows", "cuda_constant", "cuda_shared",
                                                  "cuda_uchar4", "cuda_uchar4_packed"}) {
        if (variant == same) return weighted_mean;
    }
    return std::nullopt;
}

}  // namespace upscale
