// Threads without end.

#include <unistd.h>
#include <thread>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    for (;;) std::thread([] { pause(); }).detach();
}
