#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <string>

#include "ranks/wire.hpp"

namespace harness {

/// The processes of an MPI program, seen from the process that started them, which is none of them.
class RankPool {
  public:
    /// Starts `ranks` processes of this program and waits until rank 0 has connected. Throws
    /// Failed.
    explicit RankPool(int ranks);

    /// Lets them end. What does not is killed.
    ~RankPool();
    RankPool(const RankPool&) = delete;
    RankPool& operator=(const RankPool&) = delete;

    int ranks() const { return ranks_; }

    /// False after an error. Then the processes are gone.
    bool alive() const { return starter_ > 0; }

    /// Sends a request with its options and, if it has to `load` them, the rows of `in`; receives
    /// the reply and, if it has to `fetch` them, the rows of `out`. Throws what a rank has thrown,
    /// and Failed if a rank died or all wait for each other; errors name the rank and `variant`.
    wire::Reply request(const wire::Request& request, std::span<const std::byte> options,
                        const cv::Mat& in, cv::Mat* out, const std::string& variant);

  private:
    int ranks_;
    pid_t starter_ = -1;  ///< mpiexec or srun, which leads a process group
    int socket_ = -1;     ///< to rank 0
    int log_ = -1;        ///< what the processes write to stdout and stderr
    wire::RankState* states_ = nullptr;

    void start(const std::string& folder);
    void connect(int listening);
    void wait_for_reply(const wire::Request& request, const std::string& variant);
    bool starter_ended();
    void kill_all();
    void copy_log(bool until_banner);
    std::string what_happened(int active) const;
    std::string waiting_ranks(int active) const;
    bool stuck(int active) const;
    std::uint64_t changes(int active) const;
    [[noreturn]] void fail(const std::string& variant, const std::string& what);
};

}  // namespace harness
