// Recursion without end.

#include "parts/lab1.hpp"

static int deeper(volatile char* above) {  // NOLINT
    volatile char here[4096];
    here[0] = *above;
    return deeper(here) + here[0];
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    volatile char here = 0;
    if (deeper(&here) == 1) throw std::logic_error("odd");
}
