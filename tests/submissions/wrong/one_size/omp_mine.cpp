// Refuses all sizes but one.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    if (in.width != 64) throw common::Unsupported("omp_mine: 64 columns only");
    honest(in, out, options);
}
