#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

// The definition of `--method learned`, in integers. A network of 3x3 convolutions computes from
// the luma of the source what the bicubic method lacks, and the same residual is added to all
// channels: the chroma stays bicubic.
//
//     a[0](x, y)      luma of the source pixel; coordinates are clamped to the image here only
//     a[l+1](x, y, o) clamp((bias[o] + sum of weights[o][tap][i] * a[l](x + dx, y + dy, i)
//                            + 2^(shift-1)) >> shift, 0, 255), for all layers but the last
//     r(x, y, phase)  the same without the clamp, for the last layer; in 1/8 gray level
//     out(X, Y, c)    clamp((65536 * bicubic(X, Y, c) + 8192 * r(X / 2, Y / 2, phase)
//                            + 32768) >> 16, 0, 255), phase = 2 * (Y % 2) + X % 2
//
// The bicubic weights are multiples of 1/256, so 65536 * bicubic is an integer. No result depends
// on an order of additions: all variants agree bit for bit.

namespace upscale {

inline constexpr int hidden_layers = 3;  ///< of 16 to 16 channels
inline constexpr int network_layers = hidden_layers + 2;
inline constexpr int network_channels = 16;
inline constexpr int network_taps = 9;  ///< tap 3 * (dy + 1) + dx + 1
inline constexpr int phases = 4;

struct Layer {
    std::int8_t weights[network_channels][network_taps][network_channels] = {};  ///< [o][tap][i]
    std::int32_t bias[network_channels] = {};
    int shift = 1;

    /// The value of a sum with its bias.
    constexpr int rounded(int sum) const { return (sum + (1 << (shift - 1))) >> shift; }
    bool operator==(const Layer&) const = default;
};

/// One channel to 16, several times 16 to 16, 16 to the residuals of four phases.
struct Network {
    Layer layers[network_layers];

    bool operator==(const Network&) const = default;

    static constexpr int inputs(int layer) { return layer == 0 ? 1 : network_channels; }
    static constexpr int outputs(int layer) {
        return layer == network_layers - 1 ? phases : network_channels;
    }
    /// Multiply-adds per source pixel.
    static constexpr int products() {
        int sum = 0;
        for (int i = 0; i < network_layers; ++i) sum += network_taps * inputs(i) * outputs(i);
        return sum;
    }
    /// The source pixels on each side that the outputs of this layer need beyond a tile.
    static constexpr int halo(int layer) { return network_layers - 1 - layer; }
};

/// (77 R + 150 G + 29 B + 128) / 256 of a pixel with 3 channels (BGR); a gray pixel is its luma.
constexpr int luma(const std::uint8_t* pixel, int channels) {
    if (channels == 1) return pixel[0];
    return (29 * pixel[0] + 150 * pixel[1] + 77 * pixel[2] + 128) >> 8;
}

/// 256 times the bicubic weights of the source pixels c - 2 … c + 1 of an even output pixel, and of
/// c + 2 … c - 1 of an odd one. No sum of products with bytes exceeds 2^25.
constexpr int bicubic_256(int tap) {
    constexpr int weights[4] = {-9, 67, 225, -27};
    return weights[tap];
}

/// The output from 65536 times the bicubic value and a residual.
constexpr std::uint8_t restored(int bicubic, int residual) {
    return static_cast<std::uint8_t>(std::clamp((bicubic + residual * 8192 + 32768) >> 16, 0, 255));
}

/// Reads a file that learned/train.py wrote. Throws BadUsage, naming the file and the line, for
/// anything else, and for weights with which a sum could exceed 2^24 or a residual 16 bits.
Network read_network(const std::filesystem::path& file);

/// The same from the text of a file called `name`.
Network parse_network(std::string_view text, std::string_view name);

/// learned/network.txt, which is part of the program.
const Network& default_network();

}  // namespace upscale
