// Fault: one value is wrong, except in the first call of a process.

#include "common/view.hpp"
#include "problem/variant.hpp"

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

static const Register registered{{.name = "omp_right_once",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: wrong from the second call on"},
                                 omp_right_once};

}  // namespace convolution
