// Writes to address 0.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    *static_cast<volatile int*>(nullptr) = 1;
}
