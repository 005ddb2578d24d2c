// Two files of the same variant: an honest one, and one that writes zeros.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
