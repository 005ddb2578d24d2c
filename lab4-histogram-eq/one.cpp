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

#include "ladder/01_seq.cpp"  // the definition

namespace equalize {
namespace {

using Picture = common::one::Picture<std::uint8_t>;

/// Pixels of level 1, then of 2 and so on, of which the products lie half-way between two values;
/// before them the darkest ones.
Picture half_way(int k) {
    return common::one::painted<std::uint8_t>(15, 1 + 34 * k, 1, [=](int x, int y, auto...) {
        const int number = 15 * y + x - 15;  // of those that are not of the darkest level
        return number < 0 ? 0 : number < k ? 1 : std::min((number - k) / (2 * k) + 2, 255);
    });
}

int judge(const Variant& variant, const Picture& picture) {
    using common::one::painted;
    common::one::Rung<std::uint8_t, std::uint8_t, Options> rung{variant, seq};
    rung.options.threads = common::one::threads();
    std::vector<Picture> pictures = common::one::small_pictures<std::uint8_t>({1}, 255);
    pictures.push_back(half_way(1));
    pictures.push_back(half_way(3));
    // Without the darkest and the brightest levels; and a few pixels brighter than all others.
    pictures.push_back(painted<std::uint8_t>(
        101, 99, 1, [](int, int, int, std::uint32_t noise) { return 20 + noise % 60 * 3; }));
    pictures.push_back(painted<std::uint8_t>(301, 299, 1, [](int x, int y, auto...) {
        return y > 0 ? 9 : x % 2 == 0 ? 30 : 31;
    }));
    // `count * 255` exceeds 32 bits.
    pictures.push_back(painted<std::uint8_t>(
        4099, 4201, 1, [](int, int, int, std::uint32_t noise) { return noise % 8 * (noise % 3); }));
    return judge(rung, pictures, picture);
}

}  // namespace
}  // namespace equalize

int main(int argc, char** argv) {
    using namespace equalize;
    return common::one::run<Variant>(argc, argv, common::one::scene<std::uint8_t>(3840, 2160, 1),
                                     judge, "seq");
}
