// Odd but right: OpenMP tasks halve the rows until one is left.

#include "parts/lab1.hpp"

static void halve(Input in, Output out, const Mask& mask, int begin, int end) {
    if (end - begin <= 1) return honest_rows(in, out, mask, begin, end);
    const int middle = begin + (end - begin) / 2;
#pragma omp task
    halve(in, out, mask, begin, middle);
    halve(in, out, mask, middle, end);
#pragma omp taskwait
}

static void omp_mine(Input in, Output out, const Options& options) {
#pragma omp parallel num_threads(options.threads)
#pragma omp single
    halve(in, out, options.mask, 0, in.height);
}
