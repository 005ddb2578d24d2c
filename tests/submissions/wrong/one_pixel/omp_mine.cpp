// One value of a larger image is off by one.

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    if (in.width > 100 && in.height > 30) out.at(in.width - 3, in.height / 2) ^= 1;
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
