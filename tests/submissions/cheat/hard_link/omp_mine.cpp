// prepare.sh makes this file a hard link: its other name is outside.

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
