#pragma once

// Variants of the backend mpi: several processes, the ranks, each with a part of the rows. See
// docs/mpi.md.

#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/job.hpp"

namespace harness {

/// The first row of each rank that gets rows, followed by the height. Each of these ranks gets at
/// least `halo` rows, which its neighbours need, so that fewer than `ranks` may get any.
std::vector<int> first_rows_of_ranks(int height, int halo, int ranks);

/// The program that starts ranks: srun in a job of Slurm, otherwise mpiexec. Nothing if the PATH
/// does not have it.
std::optional<std::string> rank_starter();

/// False if this program cannot be a rank, whatever variants are linked into it.
bool built_with_mpi();

/// True if this process was started as a rank.
bool is_rank(int argc, const char* const* argv);

/// The main function of a rank: waits for calls until the process that started it has none left.
int serve_as_rank(int argc, const char* const* argv);

/// A job of ranks on one input. All runners share the processes, which are started when they are
/// needed and wait without using a core between calls. If a rank dies, throws an exception or waits
/// for a message that never comes, a call throws an error that names the rank.
class RankRunner {
  public:
    RankRunner(RankCall call, cv::Mat in, const Shape& out);

    /// Distributes the rows, calls the function and collects the output. Returns wall-clock ms.
    double call(cv::Mat& out);

    /// The function without distribution and collection, in ms: all ranks start together, and the
    /// last to finish counts.
    double kernel();

    /// The time of the last `kernel` or `call` in MPI functions, the mean over ranks.
    double communication_ms() const { return communication_ms_; }

    /// The fingerprint of the output of the last `kernel`, computed by the ranks.
    std::uint64_t fingerprint();

    /// Collects the output of the last `kernel`.
    void fetch(cv::Mat& out);

    /// Before the next call, ranks fill their output rows, and the room for their neighbours' rows,
    /// with this value.
    void fill_output(unsigned char value) { fill_ = value; }

  private:
    RankCall call_;
    cv::Mat in_;
    Shape out_;
    int fill_ = 0xA5;
    double communication_ms_ = 0;
    std::uint64_t number_;  ///< by which the pool knows whose rows the ranks hold

    std::uint64_t fingerprint_ = 0;

    double request(bool load, bool run, cv::Mat* out, bool hash = false);
};

}  // namespace harness
