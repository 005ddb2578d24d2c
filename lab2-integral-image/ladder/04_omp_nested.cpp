// omp_outer is bound by load imbalance, omp_inner by a parallel region for every pixel. This
// variant nests the two: threads for the pixels, and in each of them a team of `inner_threads` for
// the reduction. Up to threads * inner_threads threads run.
//
// Thread creation bounds it as soon as a team has more than one inner thread. The OpenMP runtime
// keeps the threads of an outermost region for the next one, but GNU's creates and ends those of a
// nested region every time.

#include <omp.h>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

/// Allows nested parallel regions, and restores the setting at its end.
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
static void omp_nested(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const NestedRegions nested;
    const int inner = options.inner_threads;
#pragma omp parallel for collapse(2) schedule(static) num_threads(options.threads) \
    firstprivate(in, sums)
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

static const Register registered{
    {.name = "omp_nested",
     .backend = common::Backend::omp,
     .idea = "nested regions: threads for the pixels, a team for each reduction"},
    Cost::quadratic,
    omp_nested<Sum32>,
    omp_nested<Sum64>};

}  // namespace integral
