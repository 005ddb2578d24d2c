// Fault: every program that contains it ends before main().

#include <unistd.h>

#include "parts/planted.hpp"

namespace {

struct Ends {
    Ends() { _exit(0); }
};
const Ends ends;

}  // namespace

static void omp_ends_at_start(Input in, Output out, const Options& options) {
    seq(in, out, options);
}

static const Register registered{planted("omp_ends_at_start", "ends the program before main()"),
                                 omp_ends_at_start};
