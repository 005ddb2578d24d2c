// More threads than asked for.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    Options more = options;
    more.threads = 64;
    honest(in, out, more);
}
