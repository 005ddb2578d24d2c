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

bool sharpens(const Base256& weights) {
    if (weights.digits != 2) return false;
    for (int i = 0; i < weights.size * weights.size; ++i) {
        const int row = i / weights.size;
        if (row != weights.size / 2 && weights.at(1, row, i % weights.size) != 0) return false;
    }
    return true;
}

}  // namespace convolution
