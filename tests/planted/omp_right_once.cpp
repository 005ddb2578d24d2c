// Fault: from the second call in a process on, one value is wrong.

#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_right_once(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                    const Options& options) {
    static bool called = false;
    seq(in, out, options);
    if (called) out.at(0, 0, 0) ^= 1;
    called = true;
}

}  // namespace convolution
