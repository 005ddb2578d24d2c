#pragma once

#include <functional>

namespace harness {

/// The work and the waiting of a call's threads, from the CPU time of each. A thread that waits at
/// a barrier sleeps after some microseconds, so waiting is not in its CPU time.
struct ThreadTimes {
    double idle_percent;  ///< of the threads' wall-clock time, waiting for a core included
    double imbalance;     ///< CPU time of the busiest thread over the mean of all threads
    double serial_ms;     ///< by which the calling thread works longer than the mean of the others
};

/// Calls `call`, which uses `threads` threads, until 50 ms have passed, at most 20 times.
ThreadTimes thread_times(const std::function<void()>& call, int threads);

}  // namespace harness
