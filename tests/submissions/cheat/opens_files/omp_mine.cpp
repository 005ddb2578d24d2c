// Open files without end.

#include <unistd.h>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    while (dup(0) >= 0) {
    }
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
