#pragma once

#include <chrono>
#include <map>
#include <optional>

namespace common {

/// Tells whether other work on the machine disturbed a measurement. Two signs count:
///
/// - A calibration before and after: each thread that the measurement uses does the same short
///   work. If one takes clearly longer than it ever did with as many threads, the core was shared
///   with another thread or virtual machine, or its clock was lower.
/// - The time in between that threads of this process were ready to run but did not, because
///   another one had their core (the second field of /proc/self/task/*/schedstat, where there is
///   one). With more threads than cores they wait for each other, so this sign is left out.
class DisturbanceDetector {
  public:
    DisturbanceDetector();
    virtual ~DisturbanceDetector() = default;

    /// Starts the watch over a measurement that uses `threads` threads of OpenMP, or one thread
    /// and those of a library.
    virtual void begin(int threads);

    /// Whether the measurement since `begin` was disturbed.
    virtual bool end();

  private:
    int threads_ = 1;
    int cores_;
    std::map<int, double> best_ns_;  ///< the shortest calibration so far, by number of threads
    bool begun_in_peace_ = true;
    std::chrono::steady_clock::time_point start_;
    std::optional<double> waited_ns_;

    bool calibrate();
    bool waited_too_long() const;
};

/// Binds the `threads` threads of OpenMP that a variant will use, the calling one among them, each
/// to the core that OMP_PLACES gives it. More threads than cores are free to run anywhere. Does
/// nothing without OMP_PROC_BIND.
void bind_threads(int threads);

/// Lets the calling thread run on every core that the process may use: libraries start their
/// threads, and count the cores, with the binding of the thread that calls them.
void unbind_calling_thread();

}  // namespace common
