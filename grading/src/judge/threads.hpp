#pragma once

// Reads what the system says of the threads of another process.

#include <sys/types.h>
#include <unistd.h>

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

/// The time for which the host of this virtual machine has run something else: the sum of the
/// cores, in steps of 10 ms. 0 where the host does not say it.
double stolen_ms();

/// As long as it lives, this thread and those that it creates run before all others, timed workers
/// too. Does nothing where it is not allowed.
class RealTime {
  public:
    RealTime();
    ~RealTime();
    RealTime(const RealTime&) = delete;
    RealTime& operator=(const RealTime&) = delete;
};

/// All threads of a process that is stopped, and those that they create: before other programs, and
/// after the judge; or like other programs.
void prefer(pid_t process);
void prefer_no_more(pid_t process);

/// While it lives, all threads that this process has are preferred.
class PreferredHere {
  public:
    PreferredHere() { prefer(getpid()); }
    ~PreferredHere() { prefer_no_more(getpid()); }
    PreferredHere(const PreferredHere&) = delete;
    PreferredHere& operator=(const PreferredHere&) = delete;
};

}  // namespace grading
