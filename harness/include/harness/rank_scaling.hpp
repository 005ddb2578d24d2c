#pragma once

// The experiment `ranks`: how mpi variants scale, and what their messages cost.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/lab.hpp"

namespace harness {

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
