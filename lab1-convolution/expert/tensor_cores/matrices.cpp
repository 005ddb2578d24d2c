#include "matrices.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace convolution {
namespace {

/// A digit of the weight of the neighbour at this distance; 0 outside the mask.
unsigned digit_at(const Base256& weights, int digit, int rows_down, int columns_right) {
    const int radius = weights.size / 2;
    if (std::max(std::abs(rows_down), std::abs(columns_right)) > radius) return 0;
    return static_cast<std::uint8_t>(weights.at(digit, rows_down + radius, columns_right + radius));
}

LaneWeights lane_weights(const Base256& weights, int digit, int odd, int lane) {
    constexpr int halo = 2;  // of a window
    LaneWeights result{};
    for (unsigned byte = 0; byte < 16; ++byte) {
        const auto in_word = static_cast<int>(byte % 4);
        const auto word = static_cast<int>(byte / 4);
        const int x = lane / 4 % 2 * 2 + word % 2;
        const int y = lane / 8;
        const int window_x = word / 2 * 4 + in_word - halo;
        const int window_y = lane % 4 * 2 + odd - halo;
        result.words[word] |= digit_at(weights, digit, window_y - y, window_x - x)
                              << 8 * (byte % 4);
    }
    return result;
}

}  // namespace

std::vector<LaneWeights> matrices_of(const Base256& weights) {
    std::vector<LaneWeights> result;
    for (int odd = 0; odd < 2; ++odd) {
        for (int digit = 0; digit < weights.digits; ++digit) {
            for (int lane = 0; lane < 32; ++lane) {
                result.push_back(lane_weights(weights, digit, odd, lane));
            }
        }
    }
    return result;
}

}  // namespace convolution
