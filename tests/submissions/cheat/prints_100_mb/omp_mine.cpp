// Prints 100 MB.

#include <iostream>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static const std::string line(1 << 20, 'x');
    static bool printed = false;
    for (int i = 0; !printed && i < 100; ++i) std::cout << line << line << std::endl;
    printed = true;
    honest(in, out, options);
}
