// Fault: it refuses every input.

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_refuses(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const Options&) {
    throw common::Unsupported("not today");
}

static const Register registered{
    {.name = "omp_refuses", .backend = common::Backend::omp, .idea = "planted: takes nothing"},
    omp_refuses};

}  // namespace convolution
