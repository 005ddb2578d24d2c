// seq_naive is bound by the additions of one core. Here all cores add: `parallel for collapse(2)`
// distributes the pixels over the threads. No two threads write the same pixel, so the loop needs
// no synchronisation.
//
// `firstprivate` copies the two views (a pointer and four numbers, not the pixels) for each thread.
// If the views are shared, the compiler assumes that they change, reloads the pointer for every
// term and does not vectorise the inner loop.
//
// Load imbalance bounds it now. `schedule(static)` gives every thread equally many pixels, but the
// pixels at the bottom have more terms than those at the top. The second of two threads has three
// quarters of the additions, so the speedup is at most 4/3; with 16 threads it is at most 8.3.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
#pragma omp parallel for collapse(2) schedule(static) num_threads(options.threads) \
    firstprivate(in, sums)
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

static const Register registered{
    {.name = "omp_outer",
     .backend = common::Backend::omp,
     .idea = "the same sums, the loop over pixels distributed over the threads"},
    Cost::quadratic,
    omp_outer<Sum32>,
    omp_outer<Sum64>};

}  // namespace integral
