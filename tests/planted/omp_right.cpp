// No fault: a student's new variant, which needs no other change to appear everywhere.

#include "parts/planted.hpp"

static void omp_right(Input in, Output out, const Options& options) {
    seq(in, out, options);
}

static const Register registered{planted("omp_right", "calls seq"), omp_right};
