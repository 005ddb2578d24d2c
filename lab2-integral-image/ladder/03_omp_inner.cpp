// omp_outer is bound by load imbalance between pixels. Here the threads share the terms of one
// pixel, so their loads are equal: each thread adds its terms in a private variable, and
// `reduction` adds up these variables at the end. Without the reduction, the threads would race on
// one variable and lose additions.
//
// The parallel regions bound it now. There is one for every pixel, and each costs microseconds for
// the fork and the barrier at its end.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_inner(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) num_threads(options.threads) \
    firstprivate(in)
            for (int j = 0; j <= y; ++j) {
                for (int i = 0; i <= x; ++i) sum += in.at(i, j);
            }
            sums.at(x, y) = sum;
        }
    }
}

static const Register registered{{.name = "omp_inner",
                                  .backend = common::Backend::omp,
                                  .idea = "one pixel after another, each sum a parallel reduction"},
                                 Cost::quadratic,
                                 omp_inner<Sum32>,
                                 omp_inner<Sum64>};

}  // namespace integral
