// Names the mistake behind a deadlock, from where ranks wait and what they have sent.

#include "ranks/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

namespace harness {
namespace {

using wire::RankState;

struct Message {
    int rank;  ///< the other one
    int tag;
};

/// The messages in the text of a rank that waits: "MPI_Recv from rank 1 (tag 7)".
std::vector<Message> messages_in(const RankState& rank, const char* preposition) {
    std::vector<Message> all;
    if (rank.doing != wire::Doing::waiting) return all;
    const std::string begin = fmt::format("{} rank ", preposition);
    for (const char* at = std::strstr(rank.text, begin.c_str()); at != nullptr;
         at = std::strstr(at + 1, begin.c_str())) {
        Message message{};
        if (std::sscanf(at + begin.size(), "%d (tag %d)", &message.rank, &message.tag) == 2) {
            all.push_back(message);
        }
    }
    return all;
}

std::span<const RankState::Sent> sent_by(const RankState& rank) {
    return {rank.sent, std::min<std::size_t>(rank.sent_count, RankState::most_sent)};
}

/// Explains why a message does not arrive by what its sender has sent instead.
std::string why_missing(std::span<const RankState> ranks, int receiver, const Message& wanted) {
    const RankState& sender = ranks[static_cast<std::size_t>(wanted.rank)];
    std::optional<int> other_tag;
    std::optional<int> other_rank;
    for (const RankState::Sent& sent : sent_by(sender)) {
        if (sent.to == receiver && sent.tag == wanted.tag) return "";
        if (sent.to == receiver) {
            other_tag = sent.tag;
        } else {
            other_rank = sent.to;
        }
    }
    const std::string has = fmt::format("rank {} has sent ", wanted.rank);
    if (other_tag) {
        return fmt::format("{}to rank {} with tag {}, not {}: the tags differ", has, receiver,
                           *other_tag, wanted.tag);
    }
    if (other_rank) {
        return fmt::format("{}to rank {}, not to rank {}: the wrong neighbour?", has, *other_rank,
                           receiver);
    }
    for (const Message& message : messages_in(sender, "from")) {
        if (message.rank == receiver) {
            return fmt::format("ranks {} and {} receive before they send", receiver, wanted.rank);
        }
    }
    return fmt::format("{}nothing to rank {}", has, receiver);
}

/// Explains a cycle of blocking sends: each rank waits in MPI_Send until another one receives.
std::string why_not_received(std::span<const RankState> ranks, int sender, const Message& sent) {
    if (std::strncmp(ranks[static_cast<std::size_t>(sender)].text, "MPI_Send ", 9) != 0) return "";
    const RankState& receiver = ranks[static_cast<std::size_t>(sent.rank)];
    if (receiver.doing == wire::Doing::waiting &&
        std::strncmp(receiver.text, "MPI_Send ", 9) == 0) {
        return fmt::format("ranks {} and {} send before they receive; MPI_Sendrecv does both",
                           sender, sent.rank);
    }
    return "";
}

}  // namespace

std::string why_stuck(std::span<const RankState> ranks) {
    const auto count = static_cast<int>(ranks.size());
    const auto known = [&](const Message& message) {
        return message.rank >= 0 && message.rank < count;
    };
    for (int rank = 0; rank < count; ++rank) {
        const RankState& state = ranks[static_cast<std::size_t>(rank)];
        std::string why;
        for (const Message& message : messages_in(state, "from")) {
            if (why.empty() && known(message)) why = why_missing(ranks, rank, message);
        }
        for (const Message& message : messages_in(state, "to")) {
            if (why.empty() && known(message)) why = why_not_received(ranks, rank, message);
        }
        if (!why.empty()) return "; " + why;
    }
    return "";
}

}  // namespace harness
