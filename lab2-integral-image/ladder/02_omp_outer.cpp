// The sums of `seq_naive`, with the pixels shared out to the threads: the loops over rows and
// columns become one loop (`collapse`), of which each thread takes an equal part. No two threads
// write the same pixel, so nothing needs to be synchronised.
//
// Every thread gets views of its own (`firstprivate`; they are a pointer and four numbers, not the
// pixels). With shared ones, the compiler has to expect that they change, fetches the pointer again
// for every term and does not vectorise the sum: that made it four times slower.
//
// Against seq_naive: one directive, and one parallel region for the whole image. Bound by the same
// additions. The parts have equally many pixels but not equally much work, since a pixel at the
// bottom right has many terms and one at the top left has few: with two threads, the second one has
// three quarters of the work, so the speedup is at most 4/3.
//
// Comes to a speedup of 1.1 with 2 threads on two CPU cores, and of 8 with 16 on 16, where the
// division allows 8.3 (500x500).

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void sum_up(ImageView<const Pixel> in, ImageView<Sum> sums, int threads) {
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads) firstprivate(in, sums)
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

void omp_outer(ImageView<const Pixel> in, ImageView<Sum32> sums, const Options& options) {
    sum_up(in, sums, options.threads);
}

void omp_outer(ImageView<const Pixel> in, ImageView<Sum64> sums, const Options& options) {
    sum_up(in, sums, options.threads);
}

static const Register registered{{.name = "omp_outer",
                                  .backend = common::Backend::omp,
                                  .idea = "the same sums, pixels shared out to the threads"},
                                 Cost::quadratic,
                                 omp_outer,
                                 omp_outer};

}  // namespace integral
