#include "fragments.hpp"

namespace upscale {
namespace {

/// The output in a row of the matrix, or -1.
int output_of(int layer, int row) {
    if (layer == network_layers - 1) return row < phases ? row : -1;
    return row < 8 ? 2 * row : 2 * (row - 8) + 1;
}

/// The weight in a row and column of a product's matrix; 0 where the matrix has none.
int weight_at(const Network& network, int layer, int product, int row, int column) {
    const int output = output_of(layer, row);
    if (output < 0) return 0;
    const auto& weights = network.layers[layer].weights[output];
    if (layer == 0) {
        const bool is_tap = product == 0 && column < 12 && column % 4 < 3;
        return is_tap ? weights[column / 4 * 3 + column % 4][0] : 0;
    }
    const int tap = 2 * product + column / network_channels;
    return tap < network_taps ? weights[tap][column % network_channels] : 0;
}

Fragment fragment_of(const Network& network, int layer, int product, int lane) {
    Fragment result{};
    for (int word = 0; word < 4; ++word) {
        for (int byte = 0; byte < 4; ++byte) {
            const int row = lane / 4 + word % 2 * 8;
            const int column = lane % 4 * 4 + byte + word / 2 * 16;
            const int weight = weight_at(network, layer, product, row, column);
            result.words[word] |= (static_cast<unsigned>(weight) & 0xff) << 8 * byte;
        }
    }
    return result;
}

}  // namespace

NetworkFragments fragments_of(const Network& network) {
    NetworkFragments result{};
    for (int i = 0; i < network_layers; ++i) {
        LayerFragments& layer = result.layers[i];
        for (int product = 0; product < LayerFragments::products; ++product) {
            for (int lane = 0; lane < 32; ++lane) {
                layer.weights[product][lane] = fragment_of(network, i, product, lane);
            }
        }
        layer.shift = network.layers[i].shift;
        for (int row = 0; row < network_channels; ++row) {
            const int output = output_of(i, row);
            const int half = 1 << (layer.shift - 1);
            layer.bias[row] = output < 0 ? 0 : network.layers[i].bias[output] + half;
        }
    }
    return result;
}

}  // namespace upscale
