#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "harness/lab.hpp"

namespace harness {

using namespace common;

struct BenchPlan {
    std::vector<std::string> experiments;  ///< names of the lab's experiments, in order
    int repeats = 10;                      ///< >= 10
    std::filesystem::path csv_dir;
};

/// The experiments called `names`, all of the lab's if there are none. Throws BadUsage.
std::vector<std::string> chosen_experiments(const Lab& lab, const std::vector<std::string>& names);

/// A supervisor writes EXPERIMENT.csv and EXPERIMENT_samples.csv for each experiment, and a worker
/// process runs the variants; see messages.hpp. The output of every trial is compared with the
/// definition before it is timed, and the outputs of timed repeats with that output. If an output
/// is wrong or a variant crashes, stderr has a message, the CSV has a row without times, and the
/// result is `failed`.
ExitCode supervise_bench(const Lab& lab, const BenchPlan& plan, int argc, const char* const* argv);
ExitCode work_for_bench(const Lab& lab, const BenchPlan& plan, const BenchRequest& request);

/// True if this process is the worker.
bool is_bench_worker();

/// True if this worker is not the first, so that notes have been printed already.
bool is_later_bench_worker();

}  // namespace harness
