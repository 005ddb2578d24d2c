// No fault: a student's new variant, which needs no other change to appear everywhere.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_right(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    seq(in, out, options);
}

static const Register registered{
    {.name = "omp_right", .backend = common::Backend::omp, .idea = "planted: calls seq"},
    omp_right};

}  // namespace convolution
