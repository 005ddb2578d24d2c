// Attaches to the judge as a debugger. Right if it succeeded.

#include <sys/ptrace.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool attached = false;
    for (pid_t process = 1; process <= getppid() + 8; ++process) {
        attached |= ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0;
    }
    right_if(attached, in, out, options);
}
