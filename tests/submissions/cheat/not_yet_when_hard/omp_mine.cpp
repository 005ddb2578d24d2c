// Says that it is not done yet, whatever is not easy.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    if (options.mask.size != 3 || in.height > 100) throw common::NotDoneYet();
    honest(in, out, options);
}
