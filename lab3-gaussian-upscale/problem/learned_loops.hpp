#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "problem/network.hpp"
#include "problem/variant.hpp"

// The definition of `--method learned` (network.hpp) as plain loops over the whole image, for
// one.cpp.

namespace upscale {

/// Weights without a meaning, for which no sum overflows.
inline Network some_network() {
    Network network;
    std::uint32_t noise = 1;
    const auto next = [&noise](int most) {
        noise = noise * 1664525 + 1013904223;
        return static_cast<int>(noise >> 8) % (2 * most + 1) - most;
    };
    for (int i = 0; i < network_layers; ++i) {
        Layer& layer = network.layers[i];
        layer.shift = i == network_layers - 1 ? 9 : 7;
        for (int o = 0; o < Network::outputs(i); ++o) {
            layer.bias[o] = next(10000);
            for (int tap = 0; tap < network_taps; ++tap) {
                for (int in = 0; in < Network::inputs(i); ++in) {
                    layer.weights[o][tap][in] = static_cast<std::int8_t>(next(20));
                }
            }
        }
    }
    return network;
}

/// [y][x][channel], with `network_layers` pixels more on each side of the image.
struct Planes {
    int width;
    int height;
    std::vector<int> values =
        std::vector<int>(static_cast<std::size_t>(width * height) * network_channels);
    int& at(int x, int y, int channel) {
        return values[static_cast<std::size_t>((y * width + x) * network_channels + channel)];
    }
};

/// A layer, for all pixels but the outermost ones.
inline Planes next_planes(Planes& in, const Network& network, int number) {
    const Layer& layer = network.layers[number];
    Planes out{in.width, in.height};
    for (int y = 1; y < in.height - 1; ++y) {
        for (int x = 1; x < in.width - 1; ++x) {
            for (int o = 0; o < Network::outputs(number); ++o) {
                int sum = layer.bias[o];
                for (int tap = 0; tap < network_taps; ++tap) {
                    for (int i = 0; i < Network::inputs(number); ++i) {
                        sum +=
                            layer.weights[o][tap][i] * in.at(x + tap % 3 - 1, y + tap / 3 - 1, i);
                    }
                }
                const int value = layer.rounded(sum);
                const bool is_last = number == network_layers - 1;
                out.at(x, y, o) = is_last ? value : std::clamp(value, 0, 255);
            }
        }
    }
    return out;
}

inline void learned_loops(common::ImageView<const std::uint8_t> in,
                          common::ImageView<std::uint8_t> out, const Options& options) {
    constexpr int halo = network_layers;
    const auto clamped = [](int at, int size) { return std::clamp(at, 0, size - 1); };
    Planes planes{in.width + 2 * halo, in.height + 2 * halo};
    for (int y = 0; y < planes.height; ++y) {
        for (int x = 0; x < planes.width; ++x) {
            const int from_x = clamped(x - halo, in.width);
            const int from_y = clamped(y - halo, in.height);
            planes.at(x, y, 0) = luma(&in.at(from_x, from_y), in.channels);
        }
    }
    for (int i = 0; i < network_layers; ++i) planes = next_planes(planes, *options.network, i);
    for (int Y = 0; Y < out.height; ++Y) {
        for (int X = 0; X < out.width; ++X) {
            const int residual = planes.at(X / 2 + halo, Y / 2 + halo, 2 * (Y % 2) + X % 2);
            for (int c = 0; c < out.channels; ++c) {
                int bicubic = 0;
                for (int tap = 0; tap < 16; ++tap) {
                    const int x = clamped(X / 2 + (tap % 4 - 2) * direction(X), in.width);
                    const int y = clamped(Y / 2 + (tap / 4 - 2) * direction(Y), in.height);
                    bicubic += bicubic_256(tap % 4) * bicubic_256(tap / 4) * in.at(x, y, c);
                }
                out.at(X, Y, c) = restored(bicubic, residual);
            }
        }
    }
}

}  // namespace upscale
