// A rung as a program, without CMake and without libraries: it compares the rung with the plain
// loops below, and prints the first wrong value, or the time. `./rung PICTURE.ppm` takes a picture
// (PGM or PPM) in place of the scene.
// Some rungs need a file more on the line; the handout names it.

/* In this folder:

g++ -std=c++20 -O3 -march=native -fopenmp -I../common/include -I. \
    one.cpp ladder/02_omp_rows.cpp -o rung && ./rung

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/14_cuda_shared.cu -o rung && ./rung
*/

#include "common/one.hpp"

#include <algorithm>

#include "problem/variant.hpp"

namespace convolution {
namespace {

/// All sums of this mask are exact in float, so every order of additions gives the same result.
Mask gauss5() {
    constexpr float binomial[] = {1, 4, 6, 4, 1};
    Mask mask{5, {}};
    for (int i = 0; i < 25; ++i) mask.weights[i] = binomial[i / 5] * binomial[i % 5] / 256;
    return mask;
}

void definition(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

int judge(const Variant& variant, const common::one::Picture<std::uint8_t>& picture) {
    common::one::Rung<std::uint8_t, std::uint8_t, Options> rung{variant, definition};
    rung.options.threads = common::one::threads();
    rung.options.mask = gauss5();
    return judge(rung, common::one::small_scenes<std::uint8_t>({1, 3}), picture);
}

}  // namespace
}  // namespace convolution

int main(int argc, char** argv) {
    using namespace convolution;
    return common::one::run<Variant>(argc, argv, common::one::scene<std::uint8_t>(1920, 1080, 3),
                                     judge);
}
