// The loops of seq, rows divided among the threads. Twin of the cheats of lab 1.

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
