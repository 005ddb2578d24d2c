// Fault: it ends the program with exit code 0.

#include <cstdlib>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_exits(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const Options&) {
    std::exit(0);
}

static const Register registered{
    {.name = "omp_exits", .backend = common::Backend::omp, .idea = "planted: calls exit(0)"},
    omp_exits};

}  // namespace convolution
