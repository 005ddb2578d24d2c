// Makes the judge its debugger: then SIGCONT does not continue it.

#include <sys/ptrace.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    honest(in, out, options);
}
