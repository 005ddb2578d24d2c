#pragma once

// Parts of both ways to time a variant: single calls, and on a GPU batches.

#include <optional>
#include <vector>

#include "judge/certainty.hpp"
#include "judge/judge.hpp"

namespace grading {

Image whole(const cv::Mat& image);

const WorkerFiles& reference_named(const Task& task, const std::string& name);

/// The cores that this process may run on.
int cores();

/// Calls the variant in its worker. Throws WorkerFailed if the output is wrong.
CallTime timed_call(WorkerProcess& worker, TimedCase& timed, Clock::time_point deadline);

/// The inputs of `timed_case`, for a reference that has a worker too.
nlohmann::json inputs_of(const nlohmann::json& speed);

/// The result of a variant that failed in a timed call.
nlohmann::json failure(Outcome outcome, const std::string& reason);

/// The result of `measure` on a GPU; nothing if its memory cannot be shared with workers.
std::optional<nlohmann::json> measure_batches(const Sandbox& sandbox, const Task& task,
                                              const nlohmann::json& speed, const Secret& secret);

}  // namespace grading
