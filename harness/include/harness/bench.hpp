#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "harness/lab.hpp"

namespace common {

struct BenchPlan {
    std::vector<std::string> experiments;  ///< names of the lab's experiments, in order
    int repeats = 10;                      ///< >= 10
    std::filesystem::path csv_dir;
};

/// The experiments called `names`, all of the lab's if there are none. Throws BadUsage.
std::vector<std::string> chosen_experiments(const Lab& lab, const std::vector<std::string>& names);

/// The benchmark is run by a supervisor, which writes EXPERIMENT.csv and EXPERIMENT_samples.csv for
/// each experiment, and a worker, in which the variants run; see supervisor.hpp. Every trial is
/// verified before it is timed, and the outputs of timed repeats too. `failed` if one was wrong or
/// crashed; it has then been reported on stderr and stands in the CSV without times.
ExitCode supervise_bench(const Lab& lab, const BenchPlan& plan, int argc, const char* const* argv);
ExitCode work_for_bench(const Lab& lab, const BenchPlan& plan, const BenchRequest& request);

/// Whether this process is the worker.
bool is_bench_worker();

/// Whether this worker is not the first: what is said once has been said.
bool is_later_bench_worker();

}  // namespace common
