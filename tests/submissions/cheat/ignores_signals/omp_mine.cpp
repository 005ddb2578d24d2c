// Blocks all signals and hangs.

#include <signal.h>
#include <csignal>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (int number = 1; number < 65; ++number) std::signal(number, SIG_IGN);
    for (volatile bool forever = true; forever;) {
    }
}
