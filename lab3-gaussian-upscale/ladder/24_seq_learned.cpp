// The method `learned` as loops: a small network of convolutions computes from the luma what the
// bicubic method lacks. problem/network.hpp has the definition. The image is divided into tiles.
// For each tile, a layer reads the activations of the layer before with a halo of one pixel.
//
// Per source pixel: 9 * 16 multiply-adds in the first layer, 9 * 256 in each of the three hidden
// ones and 9 * 64 in the last, 7632 in all. The bicubic method takes 192 for a pixel in colour. The
// halos of tiles of 32x32 are computed again, which makes 1.3 times as many. Bound by the
// multiply-adds, on one core.

#include <algorithm>
#include <vector>

#include "common/view.hpp"
#include "problem/network.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

namespace {

constexpr int tile = 32;  // source pixels in x and y

/// Activations of a tile with a halo, [y][x][channel].
struct Activations {
    int width;
    int height;
    int channels;
    std::vector<int> values = std::vector<int>(static_cast<std::size_t>(width * height * channels));

    int* at(int x, int y) { return values.data() + (y * width + x) * channels; }
};

}  // namespace

static Activations luma_around(ImageView<const std::uint8_t> in, int left, int top, int width,
                               int height) {
    Activations result{width + 2 * network_layers, height + 2 * network_layers, 1};
    for (int y = 0; y < result.height; ++y) {
        for (int x = 0; x < result.width; ++x) {
            const int from_x = std::clamp(left + x - network_layers, 0, in.width - 1);
            const int from_y = std::clamp(top + y - network_layers, 0, in.height - 1);
            *result.at(x, y) = luma(&in.at(from_x, from_y), in.channels);
        }
    }
    return result;
}

static Activations convolved(Activations& in, const Layer& layer, int outputs, bool clamped) {
    Activations result{in.width - 2, in.height - 2, outputs};
    for (int y = 0; y < result.height; ++y) {
        for (int x = 0; x < result.width; ++x) {
            for (int o = 0; o < outputs; ++o) {
                int sum = layer.bias[o];
                for (int tap = 0; tap < network_taps; ++tap) {
                    const int* values = in.at(x + tap % 3, y + tap / 3);
                    for (int i = 0; i < in.channels; ++i) {
                        sum += layer.weights[o][tap][i] * values[i];
                    }
                }
                const int value = layer.rounded(sum);
                result.at(x, y)[o] = clamped ? std::clamp(value, 0, 255) : value;
            }
        }
    }
    return result;
}

/// 65536 times the bicubic value.
static int bicubic_at(ImageView<const std::uint8_t> in, int X, int Y, int c) {
    int sum = 0;
    for (int j = 0; j < 4; ++j) {
        const int y = std::clamp(Y / 2 + (j - 2) * direction(Y), 0, in.height - 1);
        int row = 0;
        for (int i = 0; i < 4; ++i) {
            const int x = std::clamp(X / 2 + (i - 2) * direction(X), 0, in.width - 1);
            row += bicubic_256(i) * in.at(x, y, c);
        }
        sum += bicubic_256(j) * row;
    }
    return sum;
}

static void seq_learned(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                        const Options& options) {
    for (int top = 0; top < in.height; top += tile) {
        for (int left = 0; left < in.width; left += tile) {
            const int width = std::min(tile, in.width - left);
            const int height = std::min(tile, in.height - top);
            Activations values = luma_around(in, left, top, width, height);
            for (int i = 0; i < network_layers; ++i) {
                values = convolved(values, options.network->layers[i], Network::outputs(i),
                                   i < network_layers - 1);
            }
            for (int y = 0; y < 2 * height; ++y) {
                for (int x = 0; x < 2 * width; ++x) {
                    const int residual = values.at(x / 2, y / 2)[2 * (y % 2) + x % 2];
                    for (int c = 0; c < in.channels; ++c) {
                        const int bicubic = bicubic_at(in, 2 * left + x, 2 * top + y, c);
                        out.at(2 * left + x, 2 * top + y, c) = restored(bicubic, residual);
                    }
                }
            }
        }
    }
}

static const Register registered{{.name = "seq_learned",
                                  .backend = common::Backend::seq,
                                  .idea = "--method learned as nested loops, tile by tile"},
                                 seq_learned,
                                 Traits{.slow = true, .in_ladder = false, .learned = true}};

}  // namespace upscale
