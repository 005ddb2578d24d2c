// Hangs when the process ends.

#include <unistd.h>
#include <cstdlib>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static const int registered_once = std::atexit([] {
        for (;;) pause();
    });
    static_cast<void>(registered_once);
}
