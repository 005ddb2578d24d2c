// Hangs.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    for (;;) {
    }
}
