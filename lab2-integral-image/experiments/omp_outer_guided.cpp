// The sums of omp_outer, with rows in place of pixels distributed, and another schedule: a thread
// takes a part of the rows that are left, ever fewer.
// Rows at the bottom have more terms than those at the top. The first part has short rows, the last
// parts are small, so the threads end at about the same time, with fewer requests than rows. For
// the experiment `schedules`.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer_guided(ImageView<const Pixel> in, ImageView<Sum> sums,
                             const Options& options) {
#pragma omp parallel for schedule(guided) num_threads(options.threads) firstprivate(in, sums)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
            for (int j = 0; j <= y; ++j) {
                for (int i = 0; i <= x; ++i) sum += in.at(i, j);
            }
            sums.at(x, y) = sum;
        }
    }
}

static const Register registered{{.name = "omp_outer_guided",
                                  .backend = common::Backend::omp,
                                  .idea = "ever fewer rows on request: schedule(guided)"},
                                 Cost::quadratic,
                                 omp_outer_guided<Sum32>,
                                 omp_outer_guided<Sum64>};

}  // namespace integral
