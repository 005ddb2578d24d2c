#pragma once

// A worker as the judge sees it: a process that is stopped except during a call.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"
#include "judge/shared_image.hpp"
#include "sandbox/sandbox.hpp"

namespace grading {

/// The outcome of a variant, in one test or in all tests.
enum class Outcome {
    right,
    wrong,
    crash,
    timeout,
    does_not_compile,
    not_done,
    refused,
    implausible
};
std::string to_string(Outcome outcome);

/// The worker did not do its work.
class WorkerFailed : public std::runtime_error {
  public:
    WorkerFailed(Outcome what, const std::string& why) : std::runtime_error(why), outcome(what) {}
    Outcome outcome;
};

/// A program, and the file of a student, or of the repository, that it is to load.
struct WorkerFiles {
    std::filesystem::path program;
    std::filesystem::path module;
    std::string name;        ///< of the variant
    bool on_device = false;  ///< has kernels
    std::vector<std::filesystem::path> libraries{};
    std::optional<GpuAccess> gpu{};  ///< for a worker whose kernels run on a GPU
};

/// A call for a batch, with the images in memory that is shared.
Call call_of(const SharedImage& in, const SharedImage& out, std::span<const std::byte> options);

/// Throws WorkerFailed if the input or a guard byte has changed.
void require_untouched(const SharedImage& in, const SharedImage& out);

struct CallTime {
    /// From the worker's release until all its threads are stopped again; of a batch, until the
    /// samples were taken.
    double ms = 0;
    double cpu_ms = 0;  ///< of all its threads
    /// The time in which threads were ready to run, but waited for a core: other work disturbed
    /// them.
    double waited_ms = 0;
};

class WorkerProcess {
  public:
    /// Starts the worker and loads the file. `cores`: those that it has alone, to be timed; 0: all.
    /// Throws WorkerFailed.
    WorkerProcess(const Sandbox& sandbox, const WorkerFiles& files, int cores,
                  Clock::time_point deadline);
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    /// Calls the variant. Throws WorkerFailed if the worker ends, takes too long, changes the input
    /// or writes outside the output, or if the variant throws.
    /// `counts` gets what its emulated kernels have done, as the worker says.
    CallTime call(const Image& in, const Image& out, std::span<const std::byte> options,
                  Clock::time_point deadline, Counts* counts = nullptr);

    /// Releases the worker with the calls of a batch, whose images are in `memory`. It sees this
    /// memory from then on. `at_reply` is called at the reply, within the measured time. The
    /// worker's kernels may go on, so what they have written counts only after the worker's end.
    CallTime run_batch(std::span<const Call> calls, GpuMemory& memory,
                       const std::function<void()>& at_reply, Clock::time_point deadline);

    /// True if images are in GPU memory that this process shares with the worker.
    bool shares_gpu() const { return gpu_ != nullptr; }

    /// The output of the process so far.
    const std::string& text() const { return process_->text(); }

  private:
    struct Mapping;
    struct Answer {
        CallTime time;
        Reply reply;
    };
    Descriptor channel_;
    std::unique_ptr<Mapping> memory_;
    std::unique_ptr<GpuMemory> gpu_;
    std::unique_ptr<Process> process_;
    pid_t id_ = 0;       ///< of the worker itself, as this process sees it
    bool is_preferred_;  ///< in a call, to other programs
    std::optional<Clock::time_point> preferred_until_{};
    Clock::time_point start_ = Clock::now();
    double judge_waited_ms_;  ///< for a core, at the start

    void wait_until_loaded(Clock::time_point deadline);
    std::span<std::byte> memory_for(const Image& in, const Image& out);
    void send_order(std::span<const Call> calls, const GpuMemory* memory, bool counted = false);
    Answer released(Clock::time_point deadline, const std::function<void()>& at_reply);
    Clock::duration disturbance(Clock::time_point deadline) const;
    Reply wait_for_reply(Clock::time_point deadline);
    Reply receive();
    void limit_preference();
    void stop() const;
    void require_little_memory() const;
    std::string printed() const;
    [[noreturn]] void has_ended();
};

}  // namespace grading
