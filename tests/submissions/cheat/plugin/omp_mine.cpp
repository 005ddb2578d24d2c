// Asks the compiler for a plugin, and for options, from within the file.

#include "parts/lab1.hpp"

#pragma GCC plugin "/tmp/x.so"
#pragma GCC optimize("plugin=/tmp/x.so")
#pragma GCC optimize("Ofast,unroll-loops")

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
