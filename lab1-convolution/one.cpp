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

#include "ladder/01_seq.cpp"  // the definition

namespace convolution {
namespace {

using Picture = common::one::Picture<std::uint8_t>;

// All sums of these masks are exact in float, so every order of additions gives the same result.

Mask gauss5() {
    constexpr float binomial[] = {1, 4, 6, 4, 1};
    Mask mask{5, {}};
    for (int i = 0; i < 25; ++i) mask.weights[i] = binomial[i / 5] * binomial[i % 5] / 256;
    return mask;
}

/// Without any symmetry; a third of the weights is negative. Sums leave 0..255 at both ends.
Mask irregular(int size) {
    Mask mask{size, {}};
    std::uint32_t state = 1;
    for (int i = 0; i < size * size; ++i) {
        const auto noise = static_cast<int>(common::one::next_noise(state) >> 8);
        const int magnitude = 1 + 2 * (noise % (3 * 256 / (size * size)));
        mask.weights[i] = static_cast<float>(noise % 3 == 0 ? -magnitude : magnitude) / 256;
    }
    return mask;
}

/// A column times a row, of small integers over 16.
Mask product() {
    constexpr int column[] = {1, -2, 4};
    constexpr int row[] = {3, 5, -1};
    Mask mask{3, {}};
    for (int i = 0; i < 9; ++i)
        mask.weights[i] = static_cast<float>(column[i / 3] * row[i % 3]) / 16;
    return mask;
}

int judge(const Variant& variant, const Picture& picture) {
    common::one::Rung<std::uint8_t, std::uint8_t, Options> rung{variant, seq};
    rung.options.threads = common::one::threads();
    rung.options.mask = gauss5();
    const auto add = [&](const std::string& name, const Mask& mask) {
        rung.others.emplace_back(name, rung.options);
        rung.others.back().second.mask = mask;
    };
    add("the mask of a column times a row", product());
    for (const int size : {1, 3, 5, 15}) {
        const std::string side = std::to_string(size);
        add("an irregular " + side + "x" + side + " mask", irregular(size));
    }
    return judge(rung, common::one::small_pictures<std::uint8_t>({1, 3}, 255), picture);
}

}  // namespace
}  // namespace convolution

int main(int argc, char** argv) {
    using namespace convolution;
    return common::one::run<Variant>(argc, argv, common::one::scene<std::uint8_t>(1920, 1080, 3),
                                     judge, "seq");
}
