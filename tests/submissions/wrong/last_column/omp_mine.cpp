// Off by one: the last column is not written.

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    in.width = out.width = in.width - 1;
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
