// A rung as a program, without CMake and without libraries: it compares the rung with the plain
// loops below, and prints the first wrong value, or the time. `./rung PICTURE.ppm` takes a picture
// (PGM or PPM) in place of the scene.

/* In this folder:

g++ -std=c++20 -O3 -march=native -fopenmp -I../common/include -I. \
    one.cpp ladder/02_omp_rows.cpp -o rung && ./rung

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/10_cuda_pixels.cu -o rung && ./rung
*/

#include "common/one.hpp"

#include "problem/variant.hpp"

namespace @{space}@ {
namespace {

void definition(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                [[maybe_unused]] const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (std::ptrdiff_t i = 0; i < in.row_length(); ++i) {
            out.row(y)[i] = static_cast<std::uint8_t>(255 - in.row(y)[i]);
        }
    }
}

int judge(const Variant& variant, const common::one::Picture<std::uint8_t>& picture) {
    common::one::Rung<std::uint8_t, std::uint8_t, Options> rung{variant, definition};
    rung.options.threads = common::one::threads();
    return judge(rung, common::one::small_scenes<std::uint8_t>({1, 3}), picture);
}

}  // namespace
}  // namespace @{space}@

int main(int argc, char** argv) {
    using namespace @{space}@;
    return common::one::run<Variant>(argc, argv, common::one::scene<std::uint8_t>(3840, 2160, 3),
                                     judge);
}
