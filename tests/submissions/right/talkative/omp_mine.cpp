// Odd but right: prints in every call, catches its own exceptions, reads clock and environment.

#include <omp.h>
#include <cstdlib>
#include <iostream>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    try {
        const double start = omp_get_wtime();
        honest(in, out, options);
        const char* home = std::getenv("HOME");
        std::cout << in.width << 'x' << in.height << ": " << omp_get_wtime() - start << " s, "
                  << (home != nullptr ? home : "no home") << std::endl;
        std::cerr << "wrong? error? FAILED? [  FAILED  ] no" << std::endl;
        throw 7;
    } catch (int) {
    }
}
