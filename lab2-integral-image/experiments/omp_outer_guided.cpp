// The sums of omp_outer, whose threads get rows here, with another schedule: a thread takes a part
// of the rows that are left, ever fewer. The first part has short rows and the last parts are
// small, so the threads end at about the same time, with fewer requests than rows. For the
// experiment `schedules`.

#include "experiments/parts/sums_of_row.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer_guided(ImageView<const Pixel> in, ImageView<Sum> sums,
                             const Options& options) {
#pragma omp parallel for schedule(guided) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) sums_of_row(in, sums, y);
}

static const Register registered{{.name = "omp_outer_guided",
                                  .backend = common::Backend::omp,
                                  .idea = "ever fewer rows on request: schedule(guided)"},
                                 Cost::quadratic,
                                 omp_outer_guided<Sum32>,
                                 omp_outer_guided<Sum64>};

}  // namespace integral
