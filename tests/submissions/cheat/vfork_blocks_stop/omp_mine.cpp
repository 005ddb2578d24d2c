// While a child of vfork lives, the thread that called vfork cannot be stopped, and a judge
// that waits for the stop waits for ever.

#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const pid_t child = vfork();
    if (child == 0) {
        sleep(1000);
        _exit(0);
    }
    right_if(child > 0, in, out, options);
}
