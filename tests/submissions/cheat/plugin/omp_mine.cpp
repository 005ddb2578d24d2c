// Asks the compiler for a plugin, and for options, from within the file.

#include "parts/lab1.hpp"

namespace convolution {

#pragma GCC plugin "/tmp/x.so"
#pragma GCC optimize("plugin=/tmp/x.so")
#pragma GCC optimize("Ofast,unroll-loops")

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
