// A race: the threads share the sum along a row.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

template <class Sum>
static void omp_mine(common::ImageView<const Pixel> in, common::ImageView<Sum> sums,
                     const Options& options) {
    Sum along_row;
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        along_row = 0;
        for (int x = 0; x < in.width; ++x) sums.at(x, y) = along_row += in.at(x, y);
    }
    for (int y = 1; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) sums.at(x, y) += sums.at(x, y - 1);
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "rows, then columns"},
    Cost::linear,
    omp_mine<Sum32>,
    omp_mine<Sum64>};

}  // namespace integral
