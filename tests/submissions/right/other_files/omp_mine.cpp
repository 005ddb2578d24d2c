// Odd but right: the folder holds other files, two of them named as headers that this one includes.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
