#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace harness {

/// The processes of an MPI program, as the process that started them has them: mpiexec or srun, and
/// what all of them print.
class RankProcesses {
  public:
    /// Starts `ranks` processes of this program, with the arguments "rank FOLDER".
    RankProcesses(int ranks, const std::string& folder);

    /// Kills what has not ended.
    ~RankProcesses();
    RankProcesses(const RankProcesses&) = delete;
    RankProcesses& operator=(const RankProcesses&) = delete;

    /// False after `kill`, and after `ended` was true.
    bool running() const { return starter_ > 0; }

    /// True if the starter has ended, and so all of them.
    bool ended();

    /// Waits until they have ended, at most this long.
    void wait_for_end(std::chrono::milliseconds most);

    void kill();

    /// The beginning of what they have printed.
    std::string printed() const;

    /// Copies to stderr what they have printed since the last time. The starter's own account of a
    /// failure, which begins with a line of dashes, can be left out.
    void copy_log(bool until_banner);

  private:
    pid_t starter_ = -1;  ///< leads a process group
    int log_ = -1;        ///< their stdout and stderr
};

}  // namespace harness
