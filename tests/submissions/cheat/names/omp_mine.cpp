// Right, beside files whose names are commands, options, lines and paths.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
