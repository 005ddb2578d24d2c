// The sums of omp_outer, whose threads get rows here, with another schedule: a thread takes the
// next row when it has finished one. No thread waits longer than one row takes; each row costs an
// atomic operation. For the experiment `schedules`.

#include "experiments/parts/sums_of_row.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer_dynamic(ImageView<const Pixel> in, ImageView<Sum> sums,
                              const Options& options) {
#pragma omp parallel for schedule(dynamic) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) sums_of_row(in, sums, y);
}

static const Register registered{{.name = "omp_outer_dynamic",
                                  .backend = common::Backend::omp,
                                  .idea = "rows on request: schedule(dynamic)"},
                                 Cost::quadratic,
                                 omp_outer_dynamic<Sum32>,
                                 omp_outer_dynamic<Sum64>};

}  // namespace integral
