// Fault: it refuses every input.

#include "parts/planted.hpp"

static void omp_refuses(Input, Output, const Options&) {
    throw common::Unsupported("not today");
}

static const Register registered{planted("omp_refuses", "takes nothing"), omp_refuses};
