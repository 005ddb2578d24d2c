// Off by one: the last column is not written.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    in.width = out.width = in.width - 1;
    honest(in, out, options);
}
