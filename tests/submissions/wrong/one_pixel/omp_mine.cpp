// One value of a larger image is off by one.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    if (in.width > 100 && in.height > 30) out.at(in.width - 3, in.height / 2) ^= 1;
}
