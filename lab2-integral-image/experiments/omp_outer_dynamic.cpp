// The sums of omp_outer, with rows in place of pixels distributed, and another schedule: a thread
// takes the next row when it has finished one.
// Rows at the bottom have more terms than those at the top. So no thread waits longer than one row
// takes; each row costs an atomic operation. For the experiment `schedules`.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer_dynamic(ImageView<const Pixel> in, ImageView<Sum> sums,
                              const Options& options) {
#pragma omp parallel for schedule(dynamic) num_threads(options.threads) firstprivate(in, sums)
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

static const Register registered{{.name = "omp_outer_dynamic",
                                  .backend = common::Backend::omp,
                                  .idea = "rows on request: schedule(dynamic)"},
                                 Cost::quadratic,
                                 omp_outer_dynamic<Sum32>,
                                 omp_outer_dynamic<Sum64>};

}  // namespace integral
