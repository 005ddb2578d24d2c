// Fault: it ends the program with exit code 0.

#include <cstdlib>

#include "parts/planted.hpp"

static void omp_exits(Input, Output, const Options&) {
    std::exit(0);
}

static const Register registered{planted("omp_exits", "calls exit(0)"), omp_exits};
