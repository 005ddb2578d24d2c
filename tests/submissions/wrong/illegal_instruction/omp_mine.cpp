// Executes an instruction that no CPU has.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    __builtin_trap();
}
