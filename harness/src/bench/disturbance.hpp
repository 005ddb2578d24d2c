#pragma once

#include <chrono>
#include <map>
#include <optional>

namespace harness {

/// Detects whether other work on the machine disturbed a measurement, by two tests:
///
/// - A calibration before and after the measurement: each of its threads does the same short work.
///   If one takes clearly longer than the shortest time so far with as many threads, the core was
///   shared with another thread or virtual machine, or its clock rate was lower.
/// - The time during the measurement in which threads of this process were ready to run but waited
///   for a core (the second field of /proc/self/task/*/schedstat, if it exists). It is not used
///   with more threads than cores, which wait for each other.
class DisturbanceDetector {
  public:
    DisturbanceDetector();
    virtual ~DisturbanceDetector() = default;

    /// Before a measurement that uses `threads` OpenMP threads, or one thread and those of a
    /// library.
    virtual void begin(int threads);

    /// True if the measurement since `begin` was disturbed.
    virtual bool end();

  private:
    int threads_ = 1;
    int cores_;
    std::map<int, double> best_ns_;  ///< the shortest calibration so far, by number of threads
    bool quiet_before_ = true;
    std::chrono::steady_clock::time_point start_;
    std::optional<double> waited_ns_;

    bool calibrate();
    bool waited_too_long() const;
};

/// Binds each of the `threads` OpenMP threads that a variant will use, including the calling
/// thread, to its core in OMP_PLACES. More threads than cores are not bound. Does nothing without
/// OMP_PROC_BIND.
void bind_threads(int threads);

/// Lets the calling thread run on every core of the process. A library's threads, and the number of
/// cores that it finds, depend on the binding of the thread that calls it.
void unbind_calling_thread();

}  // namespace harness
