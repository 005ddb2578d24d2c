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

#include "ladder/01_seq_naive.cpp"  // the definition

namespace integral {
namespace {

using Picture = common::one::Picture<Pixel>;

/// For variants whose work grows with the number of pixels.
template <class Sum>
void recurrence(common::ImageView<const Pixel> in, common::ImageView<Sum> sums, const Options&) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            const Sum left = x > 0 ? sums.at(x - 1, y) : 0;
            const Sum above = y > 0 ? sums.at(x, y - 1) : 0;
            const Sum both = x > 0 && y > 0 ? sums.at(x - 1, y - 1) : 0;
            sums.at(x, y) = left + (above - both) + in.at(x, y);
        }
    }
}

/// With pictures whose sums come close to what Sum holds: a narrower type would overflow, or round.
template <class Sum>
int judge(const Typed<Pixel, Sum>& variant, bool quadratic, const Picture& picture) {
    common::one::Rung<Pixel, Sum, Options> rung{variant,
                                                quadratic ? seq_naive<Sum> : recurrence<Sum>};
    rung.options.threads = common::one::threads();
    std::vector<Picture> pictures = common::one::small_pictures<Pixel>({1}, 255);
    const std::uint64_t most = sizeof(Sum) > 4 ? 0x7fffffff : 0x7fffffff / (257 * 64);
    for (Picture& large : common::one::small_pictures<Pixel>({1}, most)) {
        pictures.push_back(std::move(large));
    }
    return judge(rung, pictures, picture);
}

int judge_both(const Variant& variant, const Picture& picture) {
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
                                     judge_both, "seq_naive");
}
