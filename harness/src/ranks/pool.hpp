#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string>

#include "ranks/processes.hpp"
#include "ranks/wire.hpp"

namespace harness {

/// The processes of an MPI program, controlled by the process that started them. That process is
/// not a rank.
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
    bool alive() const { return processes_->running(); }

    /// Sends a request with its options and, if it has to `load` them, the rows of `in`; receives
    /// the reply and, if it has to `fetch` them, the rows of `out`. Throws what a rank has thrown,
    /// and Failed if a rank died or all wait for each other; errors name the rank and `variant`.
    wire::Reply request(const wire::Request& request, std::span<const std::byte> options,
                        const cv::Mat& in, cv::Mat* out, const std::string& variant);

  private:
    int ranks_;
    int socket_ = -1;  ///< to rank 0
    wire::RankState* states_ = nullptr;
    std::optional<RankProcesses> processes_{};

    void connect(int listening);
    void disconnect();
    void wait_for_reply(const wire::Request& request, const std::string& variant);
    std::string what_happened(int active) const;
    std::string waiting_ranks(int active) const;
    bool stuck(int active) const;
    std::uint64_t changes(int active) const;
    [[noreturn]] void fail(const std::string& variant, const std::string& what);
};

}  // namespace harness
