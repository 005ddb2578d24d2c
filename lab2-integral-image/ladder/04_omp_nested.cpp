// Both levels at once: threads for the pixels as in `omp_outer`, and for each of them a team of
// `inner_threads` for the sum as in `omp_inner`.
//
// Against both: up to threads * inner_threads threads, and still a region for every pixel. OpenMP
// keeps the threads of an outermost region for the next one; those of an inner region it creates
// and ends every time. Bound by that, as soon as there is more than one inner thread.
//
// Takes 177 times as long as omp_inner at 100x100 with 1 x 15 threads on 16 CPU cores: 0.7 ms for
// each pixel.

#include <omp.h>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

/// Lets regions inside regions have threads of their own, and restores what was set before.
class NestedRegions {
  public:
    NestedRegions() { omp_set_max_active_levels(2); }
    ~NestedRegions() { omp_set_max_active_levels(before_); }
    NestedRegions(const NestedRegions&) = delete;
    NestedRegions& operator=(const NestedRegions&) = delete;

  private:
    int before_ = omp_get_max_active_levels();
};

template <class Sum>
static void sum_up(ImageView<const Pixel> in, ImageView<Sum> sums, int outer, int inner) {
    const NestedRegions nested;
#pragma omp parallel for collapse(2) schedule(static) num_threads(outer) firstprivate(in, sums)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) num_threads(inner) firstprivate(in)
            for (int j = 0; j <= y; ++j) {
                for (int i = 0; i <= x; ++i) sum += in.at(i, j);
            }
            sums.at(x, y) = sum;
        }
    }
}

void omp_nested(ImageView<const Pixel> in, ImageView<Sum32> sums, const Options& options) {
    sum_up(in, sums, options.threads, options.inner_threads);
}

void omp_nested(ImageView<const Pixel> in, ImageView<Sum64> sums, const Options& options) {
    sum_up(in, sums, options.threads, options.inner_threads);
}

static const Register registered{
    {.name = "omp_nested",
     .backend = common::Backend::omp,
     .idea = "both levels: threads for the pixels, and threads for each sum"},
    Cost::quadratic,
    omp_nested,
    omp_nested};

}  // namespace integral
