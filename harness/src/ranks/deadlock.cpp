// Names the mistake behind a deadlock, from where ranks wait and what they have sent.

#include "ranks/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace harness {
namespace {

using wire::Message;
using wire::RankState;

std::span<const Message> sent_by(const RankState& rank) {
    return {rank.sent, std::min<std::size_t>(rank.sent_count, RankState::most_messages)};
}

std::span<const Message> awaited_by(const RankState& rank) {
    return {rank.awaited, rank.doing == wire::Doing::waiting ? rank.awaited_count : 0};
}

bool is_in_send(const RankState& rank) {
    return rank.doing == wire::Doing::waiting &&
           std::string_view(rank.text).starts_with("MPI_Send ");
}

/// Explains why a message does not arrive by what its sender has sent instead.
std::string why_missing(std::span<const RankState> ranks, int receiver, const Message& wanted) {
    const RankState& sender = ranks[static_cast<std::size_t>(wanted.rank)];
    std::optional<int> other_tag;
    std::optional<int> other_rank;
    for (const Message& sent : sent_by(sender)) {
        if (sent.rank == receiver && sent.tag == wanted.tag) return "";
        if (sent.rank == receiver) other_tag = sent.tag;
        if (sent.rank != receiver) other_rank = sent.rank;
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
    for (const Message& message : awaited_by(sender)) {
        if (message.kind == Message::from && message.rank == receiver) {
            return fmt::format("ranks {} and {} receive before they send", receiver, wanted.rank);
        }
    }
    return fmt::format("{}nothing to rank {}", has, receiver);
}

/// Explains a cycle of blocking sends: each rank waits in MPI_Send until another one receives.
std::string why_not_received(std::span<const RankState> ranks, int sender, const Message& sent) {
    if (!is_in_send(ranks[static_cast<std::size_t>(sender)]) ||
        !is_in_send(ranks[static_cast<std::size_t>(sent.rank)])) {
        return "";
    }
    return fmt::format("ranks {} and {} send before they receive; MPI_Sendrecv does both", sender,
                       sent.rank);
}

}  // namespace

std::string why_stuck(std::span<const RankState> ranks) {
    const auto count = static_cast<int>(ranks.size());
    for (int rank = 0; rank < count; ++rank) {
        for (const Message& message : awaited_by(ranks[static_cast<std::size_t>(rank)])) {
            if (message.rank < 0 || message.rank >= count) continue;  // any rank, or all
            const std::string why = message.kind == Message::from
                                        ? why_missing(ranks, rank, message)
                                        : why_not_received(ranks, rank, message);
            if (!why.empty()) return "; " + why;
        }
    }
    return "";
}

}  // namespace harness
