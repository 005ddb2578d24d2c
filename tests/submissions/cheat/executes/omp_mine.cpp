// Runs another program, and itself with LD_PRELOAD. Right if it succeeded.

#include <unistd.h>
#include <cstdlib>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const bool shell = std::system("true") == 0;
    char program[] = "/proc/self/exe";
    char preload[] = "LD_PRELOAD=/tmp/x.so";
    char* arguments[] = {program, nullptr};
    char* environment[] = {preload, nullptr};
    if (!shell) execve(program, arguments, environment);
    right_if(shell, in, out, options);
}
