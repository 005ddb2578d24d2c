#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harness {

// A benchmark runs in two processes. The worker measures. The supervisor runs no variant and writes
// the CSV files. If a variant ends its process (by a fault, exit or abort) or makes the GPU's
// context unusable, only the row of that trial is lost: the supervisor reports the variant and
// starts another worker, which continues at the same problem without that trial.
//
// The worker is this program with the same arguments. It finds its task in the environment, and
// sends a message per line, in JSON, to the supervisor.

/// The environment variable that holds a worker's task.
inline constexpr char worker_task[] = "LABS_BENCH_WORKER";

/// A trial by its place in the benchmark.
struct TrialPlace {
    int experiment = 0;
    int problem = 0;
    int trial = 0;
    bool operator==(const TrialPlace&) const = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialPlace, experiment, problem, trial)

/// The place where a worker starts, and the trials that it does not run again.
struct WorkerTask {
    int descriptor = -1;  ///< of the pipe for the messages
    int experiment = 0;
    int problem = 0;
    std::vector<TrialPlace> skipped{};
    std::vector<std::string> left_out{};  ///< variants that crashed too often
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkerTask, descriptor, experiment, problem, skipped, left_out)

/// A row of the CSV with the rows of its samples, which lack their first column.
struct ResultRow {
    std::vector<std::string> fields;
    std::vector<std::vector<std::string>> samples;
    bool noisy = false;  ///< too_noisy() of its times
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ResultRow, fields, samples, noisy)

/// The worker's end of the pipe.
class WorkerChannel {
  public:
    /// From the environment; throws std::runtime_error if this process is no worker.
    WorkerChannel();

    const WorkerTask& task() const { return task_; }

    void begin_experiment(int experiment, const std::vector<std::string>& columns);

    /// Before each call of a variant: the supervisor reports this trial if the process ends now.
    void begin_trial(const TrialPlace& place, const std::string& variant, const std::string& what);
    void end_trial();

    void problem_done(const std::vector<ResultRow>& rows);
    void end_experiment();

    /// The GPU's context is unusable, and the process is about to end.
    void device_fault(const std::string& what);
    void finished();

  private:
    WorkerTask task_;

    void send(const nlohmann::json& message) const;
};

}  // namespace harness
