// Fault: a misspelt name.

#include "parts/planted.hpp"

static void omp_does_not_compile(Input in, Output out, const Options&) {
    out.at(0, 0, 0) = inn.at(0, 0, 0);
}

static const Register registered{planted("omp_does_not_compile", "a misspelt name"),
                                 omp_does_not_compile};
