// Fault: it refuses all sizes but one.

#include "parts/planted.hpp"

static void omp_takes_one_size(Input in, Output out, const Options& options) {
    if (in.width != 64 || in.height != 64) throw common::Unsupported("64x64 only");
    seq(in, out, options);
}

static const Register registered{planted("omp_takes_one_size", "takes 64x64 only"),
                                 omp_takes_one_size};
