#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/cgroup.hpp"
#include "sandbox/descriptor.hpp"

namespace grading {

using Clock = std::chrono::steady_clock;

inline std::chrono::milliseconds duration_of(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

/// Limits of a process and its children; 0 is no limit.
struct Limits {
    std::uint64_t memory_bytes = 0;   ///< of all of them together; needs control groups
    std::uint64_t address_bytes = 0;  ///< of each
    std::uint64_t file_bytes = 0;
    std::uint64_t processes = 0;  ///< and threads; without control groups, those of the user
    std::uint64_t cpu_seconds = 0;
};

/// A program to start. Its input is empty, its output and messages go to one pipe.
struct Program {
    std::vector<std::string> arguments;
    std::vector<std::string> environment{};
    std::filesystem::path folder = "/";
    std::vector<int> descriptors{};  ///< are 3, 4, … in the program; no others are open
    Limits limits{};
    CgroupPlace cgroups{};
    int cores = 0;                 ///< that it may run on; 0: all
    bool fixed_addresses = false;  ///< the kernel does not randomize them
    std::optional<uid_t> user{};   ///< and group
    const Descriptor* landlock = nullptr;
    const Descriptor* filter = nullptr;  ///< a seccomp filter as bytes
};

/// A child process, killed and waited for at the end.
class Process {
  public:
    explicit Process(const Program& program);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t id() const { return id_; }
    int output() const { return output_.get(); }

    /// Reads what there is of its output, without waiting, and keeps the first 64 KB of all.
    /// Returns false at the end of the output.
    bool read_output();
    const std::string& text() const { return text_; }

    /// Kills it, if it still runs, and waits for its end. The status of waitpid.
    int end();

    /// Waits until it ends by itself. Returns false, after killing it, if that takes too long.
    bool wait(Clock::time_point deadline);
    int status() const { return status_; }
    bool ran_out_of_memory() const { return group_.ran_out_of_memory(); }

  private:
    Cgroup group_;
    pid_t id_ = -1;
    Descriptor output_;
    std::string text_;
    int status_ = 0;
    bool ended_ = false;

    void finish();
};

/// "exit code 3", "signal 11 (Segmentation fault)". bubblewrap passes a signal on as 128 + signal.
std::string describe_status(int status);

/// Without control characters and bytes that are not UTF-8, and at most `most` bytes long.
std::string printable(const std::string& text, std::size_t most = 64 << 10);

}  // namespace grading
