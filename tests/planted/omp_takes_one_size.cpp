// Fault: it refuses all sizes but one.

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_takes_one_size(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                        const Options& options) {
    if (in.width != 64 || in.height != 64) throw common::Unsupported("64x64 only");
    seq(in, out, options);
}

static const Register registered{{.name = "omp_takes_one_size",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: takes 64x64 only"},
                                 omp_takes_one_size};

}  // namespace convolution
