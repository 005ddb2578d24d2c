// Fault: it writes to an invalid address.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_segfaults(ImageView<const std::uint8_t>, ImageView<std::uint8_t> out, const Options&) {
    // Zero, which the compiler cannot know: it would put a trap in the place of a plain null.
    auto* volatile nowhere = out.data - reinterpret_cast<std::uintptr_t>(out.data);
    *nowhere = 1;
}

static const Register registered{{.name = "omp_segfaults",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: writes to a foreign address"},
                                 omp_segfaults};

}  // namespace convolution
