// Wrong in the middle of large images, where only a comparison of everything finds it.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    if (in.row_length() * in.height > 100'000) out.at(in.width / 2, in.height / 2) += 1;
}
