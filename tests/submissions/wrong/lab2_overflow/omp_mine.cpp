// Wrong: 64-bit sums are added up in 32 bits.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

template <class Sum>
static void omp_mine(common::ImageView<const Pixel> in, common::ImageView<Sum> sums,
                     const Options&) {
    for (int y = 0; y < in.height; ++y) {
        std::uint32_t along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += static_cast<std::uint32_t>(in.at(x, y));
            const auto above = y > 0 ? static_cast<std::uint32_t>(sums.at(x, y - 1)) : 0;
            sums.at(x, y) = static_cast<std::int32_t>(along_row + above);
        }
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "32 bits"},
    Cost::linear,
    omp_mine<Sum32>,
    omp_mine<Sum64>};

}  // namespace integral
