#pragma once

// The messages between the harness and the ranks: requests and replies through a socket to rank 0,
// and the state of every rank in a file that all map into memory.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace harness::wire {

/// Precedes the options and, if `load`, the rows of the input.
struct Request {
    char function[80];  ///< rank_function_key
    std::int32_t options_bytes;
    std::int32_t ranks;
    std::int32_t fill;  ///< of the output before the call
    std::int32_t in_width, in_height, in_type;
    std::int32_t out_width, out_height, out_type;
    bool load;   ///< distribute the rows of the input
    bool run;    ///< call the function
    bool hash;   ///< of the output
    bool fetch;  ///< collect the rows of the output
};

enum class Outcome : std::int32_t { right, failed, bad_usage, unsupported, not_done, unavailable };

/// Sent before the output rows, if the request was to fetch them.
struct Reply {
    double kernel_ms;         ///< of the slowest rank
    double communication_ms;  ///< in MPI functions, the mean over ranks
    std::uint64_t fingerprint;
    Outcome outcome;
    char text[400];  ///< of the exception
};

enum class Doing : std::int32_t {
    nothing,    ///< waits for a request
    computing,  ///< in the variant's function
    waiting,    ///< in the variant's function, in the MPI function that `text` names
    finished,   ///< the function has returned
    threw,      ///< it has thrown the exception that `text` has
    died,       ///< of what `text` says
    ended       ///< because another rank died
};

/// A message to or from another rank, or the sum of all ranks.
struct Message {
    enum Kind : std::int32_t { to, from, sum } kind;
    std::int32_t rank;
    std::int32_t tag;
};

/// The present activity of a rank, which only the rank writes.
struct RankState {
    static constexpr std::uint32_t most_messages = 32;
    std::atomic<std::int32_t> pid;
    std::atomic<std::uint32_t> changes;  ///< counts up with each change of `doing`
    std::atomic<Doing> doing;
    char text[400];
    std::uint32_t awaited_count;  ///< while `doing` is waiting
    Message awaited[most_messages];
    std::atomic<std::uint32_t> sent_count;  ///< in this call; the last ones are kept
    Message sent[most_messages];
};

inline constexpr int most_ranks = 4096;
inline constexpr std::size_t state_bytes = most_ranks * sizeof(RankState);

/// Both move all bytes. Return false if the other end is gone.
bool read_all(int file, void* to, std::size_t bytes);
bool write_all(int file, const void* from, std::size_t bytes);

}  // namespace harness::wire
