// Right, beside a file that is wrong: each gets its own verdict.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
