#pragma once

// A worker as the judge sees it: a process that is stopped except during a call.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

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
};

/// The time in which threads of a process that still run were ready, but waited for a core.
double waited_ms_of(pid_t process);

struct CallTime {
    double ms = 0;      ///< from the worker's release until all its threads are stopped again
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
    CallTime call(const Image& in, const Image& out, std::span<const std::byte> options,
                  Clock::time_point deadline);

    /// The output of the process so far.
    const std::string& text() const { return process_->text(); }

  private:
    struct Mapping;
    Descriptor channel_;
    std::unique_ptr<Mapping> memory_;
    std::unique_ptr<Process> process_;
    pid_t id_ = 0;  ///< of the worker itself, as this process sees it
    Clock::time_point start_ = Clock::now();
    double judge_waited_ms_;  ///< for a core, at the start

    void wait_until_loaded(Clock::time_point deadline);
    Clock::duration disturbance(Clock::time_point deadline) const;
    Reply wait_for_reply(Clock::time_point deadline);
    Reply receive();
    void release() const;
    void stop() const;
    void require_little_memory() const;
    std::string printed() const;
    [[noreturn]] void has_ended();
};

}  // namespace grading
