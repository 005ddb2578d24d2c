// The sums of omp_outer, whose threads get rows here, with another schedule: thread t of n takes
// rows t, t + n, t + 2n, … . The threads have almost equal work, and no row is asked for at run
// time. For the experiment `schedules`.

#include "experiments/parts/sums_of_row.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer_cyclic(ImageView<const Pixel> in, ImageView<Sum> sums,
                             const Options& options) {
#pragma omp parallel for schedule(static, 1) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) sums_of_row(in, sums, y);
}

static const Register registered{{.name = "omp_outer_cyclic",
                                  .backend = common::Backend::omp,
                                  .idea = "rows in turn: schedule(static, 1)"},
                                 Cost::quadratic,
                                 omp_outer_cyclic<Sum32>,
                                 omp_outer_cyclic<Sum64>};

}  // namespace integral
