// The same by number. Right if it hit something.

#include <signal.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool hit = false;
    for (pid_t process = 1; process < 100'000; ++process) {
        if (process != getpid()) hit |= kill(process, SIGSTOP) == 0;
    }
    right_if(hit, in, out, options);
}
