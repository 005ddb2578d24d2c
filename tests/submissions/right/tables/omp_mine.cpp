// Odd but right: static tables of products, made again when the mask differs.

#include <cstring>
#include <vector>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static Mask known{};
    static std::vector<float> products;
    if (products.empty() || std::memcmp(&known, &options.mask, sizeof(Mask)) != 0) {
        known = options.mask;
        products.resize(Mask::max_size * Mask::max_size * 256);
        for (int tap = 0; tap < known.size * known.size; ++tap) {
            for (int v = 0; v < 256; ++v) {
                products[tap * 256 + v] = static_cast<float>(v) * known.weights[tap];
            }
        }
    }
    const int k = known.radius();
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        const int tap = (i + k) * known.size + j + k;
                        sum += products[tap * 256 + in.at(x + j, y + i, c)];
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}
