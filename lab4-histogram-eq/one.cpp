// A rung as a program, without CMake and without libraries: it compares the rung with the plain
// loops below, and prints the first wrong value, or the time. `./rung PICTURE.ppm` takes a picture
// (PGM or PPM) in place of the scene.

/* In this folder:

g++ -std=c++20 -O3 -march=native -fopenmp -I../common/include -I. \
    one.cpp ladder/02_omp_rows.cpp -o rung && ./rung

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/14_cuda_shared_atomics.cu -o rung && ./rung
*/

#include "common/one.hpp"

#include <algorithm>
#include <cmath>

#include "problem/variant.hpp"

namespace equalize {
namespace {

void definition(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                const Options&) {
    Count cdf[levels] = {};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++cdf[in.at(x, y)];
    }
    const Count darkest = *std::find_if(cdf, cdf + levels, [](Count count) { return count > 0; });
    for (int level = 1; level < levels; ++level) cdf[level] += cdf[level - 1];
    const Count others = cdf[levels - 1] - darkest;  // pixels that are not of the darkest level
    std::uint8_t table[levels] = {};
    for (int level = 0; level < levels; ++level) {
        table[level] = static_cast<std::uint8_t>(level);  // a constant image stays as it is
        if (others == 0 || cdf[level] < darkest) continue;
        const float scale = 255.0f / static_cast<float>(others);
        const float value = static_cast<float>(cdf[level] - darkest) * scale;
        table[level] = static_cast<std::uint8_t>(std::nearbyint(value));
    }
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

int judge(const Variant& variant, const common::one::Picture<std::uint8_t>& picture) {
    common::one::Rung<std::uint8_t, std::uint8_t, Options> rung{variant, definition};
    rung.options.threads = common::one::threads();
    return judge(rung, common::one::small_scenes<std::uint8_t>({1}), picture);
}

}  // namespace
}  // namespace equalize

int main(int argc, char** argv) {
    using namespace equalize;
    return common::one::run<Variant>(argc, argv, common::one::scene<std::uint8_t>(3840, 2160, 1),
                                     judge);
}
