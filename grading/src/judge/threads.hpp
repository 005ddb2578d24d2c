#pragma once

// What the system says of the threads of another process.

#include <sys/types.h>

namespace grading {

double cpu_ms_of(pid_t process);

bool all_threads_are_stopped(pid_t process);

/// The time for which those threads of a process that still run were ready, but waited for a core:
/// in all, and the longest.
struct Waited {
    double sum_ms = 0;
    double most_ms = 0;

    static Waited of(pid_t process);
};

}  // namespace grading
