// System calls by their x32 numbers. Right if it succeeded.

#include <sys/syscall.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const long process = syscall(0x40000000 | SYS_fork);
    if (process == 0) _exit(0);
    right_if(process > 0, in, out, options);
}
