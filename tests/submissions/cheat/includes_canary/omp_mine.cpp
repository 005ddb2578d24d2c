// Includes a file of the machine: the compiler prints it in its messages.

#include "@CANARY@"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
