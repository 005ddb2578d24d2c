#include "matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace convolution {
namespace {

/// A digit of the weight of the neighbour at this distance; 0 outside the mask.
unsigned digit_at(const Base256& weights, int digit, int rows_down, int columns_right) {
    const int radius = weights.size / 2;
    if (std::abs(rows_down) > radius || std::abs(columns_right) > radius) return 0;
    return static_cast<std::uint8_t>(weights.at(digit, rows_down + radius, columns_right + radius));
}

LaneWeights lane_weights(const Base256& weights, int channels, int digit, int rows_down, int lane) {
    LaneWeights result{};
    for (int byte = 0; byte < 16; ++byte) {
        const int word = byte / 4;
        const int output = lane / 4 * 2 + word % 2;
        const int input = lane % 4 * 8 + word / 2 * 4 + byte % 4 - window_halo;
        if ((input - output) % channels != 0) continue;  // another channel
        result.words[word] |= digit_at(weights, digit, rows_down, (input - output) / channels)
                              << 8 * (byte % 4);
    }
    return result;
}

LaneWeights tile_weights(const Base256& weights, int digit, int half, int lane) {
    constexpr int halo = 2;  // of a window
    LaneWeights result{};
    for (unsigned byte = 0; byte < 16; ++byte) {
        const auto in_word = static_cast<int>(byte % 4);
        const auto word = static_cast<int>(byte / 4);
        const int x = lane / 4 % 2 * 2 + word % 2;
        const int y = lane / 8;
        const int window_x = word / 2 * 4 + in_word - halo;
        const int window_y = half * 4 + lane % 4 - halo;
        result.words[word] |= digit_at(weights, digit, window_y - y, window_x - x)
                              << 8 * (byte % 4);
    }
    return result;
}

/// True if the weights are a part of `one`, of at most 256, and none is negative.
bool averages(const Base256& weights, int one) {
    int sum = 0;
    for (const std::int8_t value : weights.values) {
        if (value < 0) return false;
        sum += value;
    }
    return weights.digits == 1 && sum <= one && one <= 256;
}

}  // namespace

std::vector<LaneWeights> matrices_of(const Base256& weights, int channels) {
    const int radius = kernel_rows(weights.size) / 2;
    std::vector<LaneWeights> result;
    for (int digit = 0; digit < weights.digits; ++digit) {
        for (int rows_down = -radius; rows_down <= radius; ++rows_down) {
            for (int lane = 0; lane < 32; ++lane) {
                result.push_back(lane_weights(weights, channels, digit, rows_down, lane));
            }
        }
    }
    return result;
}

std::vector<LaneWeights> tile_matrices_of(const Base256& weights) {
    std::vector<LaneWeights> result;
    for (int half = 0; half < 2; ++half) {
        for (int digit = 0; digit < weights.digits; ++digit) {
            for (int lane = 0; lane < 32; ++lane) {
                result.push_back(tile_weights(weights, digit, half, lane));
            }
        }
    }
    return result;
}

std::optional<ScaledWeights> scaled_weights(const Mask& mask) {
    std::optional<Base256> weights = in_base_256(mask);
    if (!weights) return std::nullopt;
    const int one = weights->shift < 0    ? weights->divisor
                    : weights->shift <= 8 ? 1 << weights->shift
                                          : 0;
    const bool is_average = averages(*weights, one);
    if (weights->digits == 1 && weights->shift < 0) {
        if (is_average) {
            const unsigned factor = ((1U << 24) - 1) / static_cast<unsigned>(one) + 1;
            return ScaledWeights{*weights, {Scaling::reciprocal, 0, factor}};
        }
        weights = rounded_to_base_256(mask);
        if (!weights) return std::nullopt;
    }
    if (weights->digits == 3) {
        return ScaledWeights{*weights, {Scaling::shift, -std::ilogb(weights->scale) - 8, 0}};
    }
    if (is_average && std::ranges::all_of(weights->values, [one](std::int8_t value) {
            return value * (256 / one) <= std::numeric_limits<std::int8_t>::max();
        })) {
        for (std::int8_t& value : weights->values)
            value = static_cast<std::int8_t>(value * (256 / one));
        return ScaledWeights{*weights, {Scaling::byte, 8, 0}};
    }
    const Scaling scaling = weights->digits == 1 && weights->shift == 0   ? Scaling::whole
                            : weights->digits == 2 && weights->shift == 8 ? Scaling::digit
                                                                          : Scaling::shift;
    return ScaledWeights{*weights, {scaling, weights->shift, 0}};
}

bool sharpens(const ScaledWeights& mask) {
    const Base256& weights = mask.weights;
    if (weights.digits != 2 || mask.scale.scaling != Scaling::digit) return false;
    for (int i = 0; i < weights.size * weights.size; ++i) {
        const int row = i / weights.size;
        if (row != weights.size / 2 && weights.at(1, row, i % weights.size) != 0) return false;
    }
    return true;
}

}  // namespace convolution
