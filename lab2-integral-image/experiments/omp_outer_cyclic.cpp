// The sums of omp_outer, with rows in place of pixels distributed, and another schedule: thread t
// of n takes rows t, t + n, t + 2n, … . Rows at the bottom have more terms than those at the top.
// So the threads have almost equal work, and no row is asked for at run time. For the experiment
// `schedules`.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer_cyclic(ImageView<const Pixel> in, ImageView<Sum> sums,
                             const Options& options) {
#pragma omp parallel for schedule(static, 1) num_threads(options.threads) firstprivate(in, sums)
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

static const Register registered{{.name = "omp_outer_cyclic",
                                  .backend = common::Backend::omp,
                                  .idea = "rows in turn: schedule(static, 1)"},
                                 Cost::quadratic,
                                 omp_outer_cyclic<Sum32>,
                                 omp_outer_cyclic<Sum64>};

}  // namespace integral
