// Task A: compute all channels of an output pixel together. The handout says what is given and what
// to write. Replace this comment: what bounds omp_rows, your idea, what you predict and measure.

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

void omp_pixels(ImageView<const std::uint8_t> /*in*/, ImageView<std::uint8_t> /*out*/,
                const Options& /*options*/) {
    throw common::NotDoneYet();
}

static const Register registered{
    {.name = "omp_pixels", .backend = common::Backend::omp, .idea = "task A"},
    omp_pixels,
    Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale
