// Fault: a misspelt name.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_does_not_compile(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                          const Options&) {
    out.at(0, 0, 0) = inn.at(0, 0, 0);
}

static const Register registered{{.name = "omp_does_not_compile",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: a misspelt name"},
                                 omp_does_not_compile};

}  // namespace convolution
