// A rung as a program, without CMake and without libraries: it compares the rung with the plain
// loops below, and prints the first wrong value, or the time. `./rung PICTURE.ppm` takes a picture
// (PGM or PPM) in place of the scene.

/* In this folder:

g++ -std=c++20 -O3 -march=native -fopenmp -I../common/include -I. \
    one.cpp ladder/06_omp_two_passes.cpp -o rung && ./rung

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/12_cuda_lines.cu -o rung && ./rung
*/

#include "common/one.hpp"

#include "problem/variant.hpp"

namespace integral {
namespace {

/// For variants whose work grows with the square of the number of pixels.
template <class Sum>
void definition(common::ImageView<const Pixel> in, common::ImageView<Sum> sums, const Options&) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
            for (int j = 0; j <= y; ++j) {
                for (int i = 0; i <= x; ++i) sum += in.at(i, j);
            }
            sums.at(x, y) = sum;
        }
    }
}

template <class Sum>
void recurrence(common::ImageView<const Pixel> in, common::ImageView<Sum> sums, const Options&) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            const Sum left = x > 0 ? sums.at(x - 1, y) : 0;
            const Sum above = y > 0 ? sums.at(x, y - 1) : 0;
            const Sum both = x > 0 && y > 0 ? sums.at(x - 1, y - 1) : 0;
            sums.at(x, y) = left + above - both + in.at(x, y);
        }
    }
}

template <class Sum>
int judge(const Typed<Pixel, Sum>& variant, bool quadratic,
          const common::one::Picture<Pixel>& picture) {
    const auto plain = quadratic ? definition<Sum> : recurrence<Sum>;
    common::one::Rung<Pixel, Sum, Options> rung{variant, plain};
    rung.options.threads = common::one::threads();
    return judge(rung, common::one::small_scenes<Pixel>({1}), picture);
}

int judge_both(const Variant& variant, const common::one::Picture<Pixel>& picture) {
    const bool quadratic = variant.cost == Cost::quadratic;
    const auto small = common::one::scene<Pixel>(200, 150, 1);
    const int narrow = judge(variant.sums32, quadratic, quadratic ? small : picture);
    const int wide = judge(variant.sums64, quadratic, quadratic ? small : picture);
    return narrow != 0 ? narrow : wide;
}

}  // namespace
}  // namespace integral

int main(int argc, char** argv) {
    using namespace integral;
    return common::one::run<Variant>(argc, argv, common::one::scene<Pixel>(2048, 2048, 1),
                                     judge_both);
}
