// Never returns.

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    for (volatile bool forever = true; forever;) {
    }
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
