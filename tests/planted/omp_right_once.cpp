// Fault: one value is wrong, except in the first call of a process.

#include "parts/planted.hpp"

static void omp_right_once(Input in, Output out, const Options& options) {
    static bool called = false;
    seq(in, out, options);
    if (called) out.at(0, 0, 0) ^= 1;
    called = true;
}

static const Register registered{planted("omp_right_once", "wrong from the second call on"),
                                 omp_right_once};
