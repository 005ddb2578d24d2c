// Open files without end.

#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    while (dup(0) >= 0) {
    }
    honest(in, out, options);
}
