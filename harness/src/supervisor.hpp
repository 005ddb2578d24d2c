#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace common {

// A benchmark runs in two processes. The worker measures; the supervisor, which runs no variant,
// keeps the CSV files. A variant that ends its process (by a fault, exit or abort) or makes the
// GPU's context unusable thus costs its own row alone: the supervisor names it and starts another
// worker, which goes on at the same problem without it.
//
// The worker is this program with the same arguments. Its environment holds its orders, and the
// file descriptor to which it writes a message per line, in JSON.

/// A trial by its place in the benchmark.
struct TrialPlace {
    int experiment = 0;
    int problem = 0;
    int trial = 0;
    bool operator==(const TrialPlace&) const = default;
};

/// What the supervisor tells a worker: where to go on, and what not to run again.
struct Orders {
    int experiment = 0;
    int problem = 0;
    std::vector<TrialPlace> skipped;
    std::vector<std::string> left_out;  ///< variants that ended too many workers
};

/// A row of the CSV with the rows of its samples, which lack their first column.
struct ResultRow {
    std::vector<std::string> fields;
    std::vector<std::vector<std::string>> samples;
    bool noisy = false;  ///< too_noisy() of its times
};

/// The worker's end of the pipe.
class WorkerChannel {
  public:
    /// From the environment; throws std::runtime_error if this process is no worker.
    WorkerChannel();

    const Orders& orders() const { return orders_; }

    void begin_experiment(int experiment, const std::vector<std::string>& columns);
    /// Before each call of a variant: who is at fault if the process ends now. `place` null:
    /// nobody.
    void announce(const TrialPlace& place, const std::string& variant, const std::string& what);
    void nobody();
    void problem_done(const std::vector<ResultRow>& rows);
    void end_experiment();
    /// The GPU's context is unusable; the process is about to end.
    void device_fault(const std::string& what);
    void finished();

  private:
    int descriptor_;
    Orders orders_;

    void send(const nlohmann::json& message);
};

}  // namespace common
