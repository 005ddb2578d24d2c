// Writes one byte behind the output, and one before it.

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    out.row(in.height - 1)[in.row_length()] ^= 0xff;
    out.row(0)[-1] ^= 0xff;
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
