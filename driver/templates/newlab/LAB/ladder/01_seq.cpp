// The definition as loops.
//
// Bound by the instructions of one core.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace @{space}@ {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
         [[maybe_unused]] const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (std::ptrdiff_t i = 0; i < in.row_length(); ++i) {
            out.row(y)[i] = static_cast<std::uint8_t>(255 - in.row(y)[i]);
        }
    }
}

static const Register registered{
    {.name = "seq", .backend = common::Backend::seq, .idea = "the definition as loops"}, seq};

}  // namespace @{space}@
