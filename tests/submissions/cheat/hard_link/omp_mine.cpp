// prepare.sh makes this file a hard link: its other name is outside.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
