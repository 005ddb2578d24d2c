// Wrong for more than four threads: the last rows are not written.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    if (options.threads > 4) in.height = out.height = in.height / options.threads * options.threads;
    honest(in, out, options);
}
