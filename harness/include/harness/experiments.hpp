#pragma once

// The experiments that all labs have: limit, older_cpus, scaling and ranks.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/lab.hpp"

namespace harness {

// `limit`: the best variants beside the libraries and the least time that is possible. For large
// images this is the time of a copy of the same bytes (the column percent_of_copy); for small
// images on a GPU it is the launch of an empty kernel.

inline const std::vector<std::string> limit_columns{"empty_ms"};

/// True if a variant of the request is for a GPU.
bool has_gpu(const BenchRequest& request);

/// Sizes of the images: 256x256 and 480x270; with --full also `large`. On machines without a GPU,
/// --full adds 16x16: so small an image shows the cost of starting threads.
std::vector<std::pair<int, int>> limit_sizes(const BenchRequest& request,
                                             const std::vector<std::pair<int, int>>& large);

/// The variants called omp_best, cuda_best, ...
std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants);

/// `variants` and then the libraries of the request.
std::vector<VariantInfo> with_libraries(const BenchRequest& request,
                                        std::vector<VariantInfo> variants);

/// The value of limit_columns for a trial; empty for those on the CPU.
std::vector<std::vector<std::string>> limit_line(const Trial& trial, Runner& runner);

// `older_cpus`: omp_best restricted to the vector instructions of older CPUs, on the largest images
// of another experiment.

inline const std::vector<std::string> older_cpus_columns{"instruction_set"};

/// The problems of `experiment` with the most pixels, for omp_best alone. Each problem has a trial
/// for each instruction set of this machine, from the baseline on, and the trials take turns.
std::vector<Problem> for_older_cpus(
    BenchRequest request,
    const std::function<std::vector<Problem>(const BenchRequest&)>& experiment);

// `scaling`: OpenMP rungs and the CPU's libraries with 1 to all threads, each beside a copy with as
// many threads.

/// "strong" or "weak"; and ThreadTimes (thread_times.hpp) of more than one thread.
inline const std::vector<std::string> scaling_columns{"scaling", "idle_percent", "imbalance",
                                                      "serial_ms"};

/// 1, 2, 3, 4, 6, 8, 12, 16, … up to `all`, and `all` itself; without `full`, powers of two only.
std::vector<int> thread_counts(int all, bool full);

/// Strong scaling alone, of the image of `problem_of`.
std::vector<Problem> for_strong_scaling(
    BenchRequest request, const std::function<Problem(const BenchRequest&)>& problem_of);

/// Strong scaling: an image of `width` x `height` for every number of threads. Weak scaling: each
/// thread has as many rows as it has of that image if all threads share it. `problem_of` makes the
/// lab's problem with the variants and the threads of the request.
std::vector<Problem> for_scaling(
    BenchRequest request, int width, int height,
    const std::function<Problem(const BenchRequest&, int width, int height)>& problem_of);

// `ranks`: how mpi variants scale, and what their messages cost.

/// scaling: strong (one image for all numbers of ranks), weak (rows in proportion to the ranks) or
/// link (no variant, but a message of message_bytes between two ranks); communication_ms: the mean
/// over ranks of the time in MPI functions; message_bytes: what the variant sends to a neighbour;
/// message_us: the time of a message of that size between two ranks, half of a ping-pong;
/// latency_us and link_gb_per_s: the line that fits such times; messages, messages_of_64: one after
/// the other in a call, with as many ranks and with 64. Of mpi_nccl, with cuda_best beside it:
/// scaling is gpus (one image) or gpus-weak (rows in proportion to the GPUs), ranks is the number
/// of GPUs, and total_ms is kernel_ms.
inline const std::vector<std::string> rank_columns{
    "scaling",       "ranks",      "threads_of_rank", "communication_ms", "communication_percent",
    "message_bytes", "message_us", "latency_us",      "link_gb_per_s",    "messages",
    "messages_of_64"};

/// The messages that the ranks of a lab's variants exchange in a call.
struct Exchange {
    /// The bytes of a message, for an image of this width.
    std::function<std::size_t(int width)> bytes;

    /// The number of messages that a rank waits for in sequence, given the number of ranks.
    std::function<int(int ranks)> messages;
};

/// The number of sequential messages in a scan or a reduction over ranks whose distance doubles in
/// each step.
int doubling_steps(int ranks);

/// A halo from above and one from below.
int two_neighbours(int ranks);

/// A problem of a lab at this size, with request.variants and request.options.
using ProblemOfSize = std::function<Problem(int width, int height, const BenchRequest& request)>;

/// The mpi variants with 1, 2, 4, … ranks up to the number of cores, each with one thread per rank
/// and with threads on all cores; beside them `threaded`, a variant with as many threads. The image
/// has `size` (strong), or each rank has as many rows as it has of that image with all ranks
/// (weak). And mpi_nccl on 1, 2, 4, … GPUs, with `full` on images of 7680x4320 and up to
/// `largest_side` squared.
std::vector<Problem> rank_problems(const BenchRequest& request, std::string_view threaded,
                                   const Shape& size, const ProblemOfSize& make,
                                   const Exchange& exchange, int largest_side);

/// Time = latency + bytes / rate, by least squares of relative errors.
struct Link {
    double latency_us = 0;
    double bytes_per_us = 0;
    double message_us(double bytes) const { return latency_us + bytes / bytes_per_us; }
};
struct MessageTime {
    double bytes = 0;
    double us = 0;
};
Link fit_link(const std::vector<MessageTime>& times);

}  // namespace harness
