// prepare.sh makes this file a pipe: who opens it waits for ever.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
