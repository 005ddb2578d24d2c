// A rung as a program, without CMake and without libraries: it compares the rung with the plain
// loops below, and prints the first wrong value, or the time. `./rung PICTURE.ppm` takes a picture
// (PGM or PPM) in place of the scene.

/* In this folder:

g++ -std=c++20 -O3 -march=native -fopenmp -I../common/include -I. \
    one.cpp ladder/05_omp_separable.cpp -o rung && ./rung

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/19_cuda_phases.cu -o rung && ./rung
*/

#include "common/one.hpp"

#include <algorithm>
#include <cmath>

#include "ladder/24_seq_learned.cpp"  // the definition of --method learned

namespace upscale {
namespace {

using Picture = common::one::Picture<std::uint8_t>;

/// The weights `weight(d)` of the taps at the distances d, normalised.
template <class Weight>
Weights weights_of(int radius, Weight weight) {
    Weights weights;
    weights.radius = radius;
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += weight(k + 0.25);
    for (int k = -radius; k <= radius; ++k) {
        weights.values[radius + k] = static_cast<float>(weight(k + 0.25) / sum);
    }
    return weights;
}

void set_gaussian(Options& options, int radius, double sigma) {
    options.method = Method::gauss;
    options.sigma = static_cast<float>(sigma);
    options.weights =
        weights_of(radius, [=](double d) { return std::exp(-d * d / (2 * sigma * sigma)); });
}

/// 1 at 0, 0 at 1 and at 2, negative between these: sums leave 0..255.
double cubic(double distance) {
    const double d = std::abs(distance);
    if (d >= 2) return 0;
    return d < 1 ? (1.25 * d - 2.25) * d * d + 1 : -0.75 * (((d - 5) * d + 8) * d - 4);
}

/// Plus `Thousandths` of a gray level: sums of floats in any order differ by less than one.
template <int Thousandths>
void definition(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                const Options& options) {
    const Weights& weights = options.weights;
    for (int Y = 0; Y < out.height; ++Y) {
        for (int X = 0; X < out.width; ++X) {
            for (int c = 0; c < out.channels; ++c) {
                float sum = Thousandths / 1000.0f;
                for (int j = -weights.radius; j <= weights.radius; ++j) {
                    const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
                    float row = 0;
                    for (int i = -weights.radius; i <= weights.radius; ++i) {
                        const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                        row += static_cast<float>(in.at(x, y, c)) * weights.at(i);
                    }
                    sum += row * weights.at(j);
                }
                out.at(X, Y, c) = to_pixel(sum);
            }
        }
    }
}

/// Weights without a meaning, for which no sum overflows.
Network some_network() {
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

int judge(const Variant& variant, const Picture& picture) {
    using common::one::scene;
    using common::one::small_pictures;
    common::one::Rung<std::uint8_t, std::uint8_t, Options> rung{variant, definition<0>};
    rung.options.threads = common::one::threads();
    set_gaussian(rung.options, 2, 0.36);
    rung.least = definition<-1>;
    rung.most = definition<1>;
    rung.scale = 2;
    if (variant.learned) {
        const Network network = some_network();
        rung.options.method = Method::learned;
        rung.options.network = &network;
        rung.plain = rung.least = rung.most = seq_learned;
        return judge(rung, small_pictures<std::uint8_t>({1, 3}, 255),
                     scene<std::uint8_t>(200, 150, 3));
    }
    for (int radius = 1; radius <= Weights::max_radius; ++radius) {
        rung.others.emplace_back("radius " + std::to_string(radius), rung.options);
        set_gaussian(rung.others.back().second, radius, 0.2 + 0.3 * radius);
    }
    rung.others.emplace_back("bicubic", rung.options);
    rung.others.back().second.method = Method::bicubic;
    rung.others.back().second.weights = weights_of(2, cubic);
    if (variant.four_byte_pixels) {
        rung.channels = 3;
        return judge(rung, small_pictures<std::uint8_t>({4}, 255),
                     scene<std::uint8_t>(960, 540, 4));
    }
    return judge(rung, small_pictures<std::uint8_t>({1, 3}, 255), picture);
}

}  // namespace
}  // namespace upscale

int main(int argc, char** argv) {
    using namespace upscale;
    return common::one::run<Variant>(argc, argv, common::one::scene<std::uint8_t>(960, 540, 3),
                                     judge, "seq_learned");
}
