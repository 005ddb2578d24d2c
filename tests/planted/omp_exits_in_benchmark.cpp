// Fault: it passes the tests, and ends the benchmark with exit code 0.

#include <cstdlib>

#include "parts/planted.hpp"

static void omp_exits_in_benchmark(Input in, Output out, const Options& options) {
    if (in_benchmark()) std::exit(0);
    seq(in, out, options);
}

static const Register registered{
    planted("omp_exits_in_benchmark", "calls exit(0), but not in tests"), omp_exits_in_benchmark};
