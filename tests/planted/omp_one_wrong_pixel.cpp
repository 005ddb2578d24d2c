// Fault: the lowest bit of one value, in the middle of the picture.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_one_wrong_pixel(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                         const Options& options) {
    seq(in, out, options);
    out.at(out.width / 2, out.height / 2, 0) ^= 1;
}

static const Register registered{{.name = "omp_one_wrong_pixel",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: one value is off by one"},
                                 omp_one_wrong_pixel};

}  // namespace convolution
