// Fault: the lowest bit of one value, in the middle of the picture.

#include "parts/planted.hpp"

static void omp_one_wrong_pixel(Input in, Output out, const Options& options) {
    seq(in, out, options);
    out.at(out.width / 2, out.height / 2, 0) ^= 1;
}

static const Register registered{planted("omp_one_wrong_pixel", "one value is off by one"),
                                 omp_one_wrong_pixel};
