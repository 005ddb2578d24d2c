// Fault: it takes nothing at all.

#include "common/error.hpp"
#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

using common::ImageView;

void omp_refuses(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const Options&) {
    throw common::Unsupported("not today");
}

}  // namespace convolution
