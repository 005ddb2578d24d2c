#include "matrices.hpp"

#include <cstdint>
#include <cstdlib>

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

bool sharpens(const Base256& weights) {
    for (int digit = 1; digit < weights.digits; ++digit) {
        for (int i = 0; i < weights.size * weights.size; ++i) {
            const int row = i / weights.size;
            if (row != weights.size / 2 && weights.at(digit, row, i % weights.size) != 0)
                return false;
        }
    }
    return true;
}

}  // namespace convolution
