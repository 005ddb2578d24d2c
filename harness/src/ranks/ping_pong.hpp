#pragma once

#include "common/options.hpp"
#include "harness/job.hpp"

namespace harness {

using namespace common;

inline constexpr char ping_pong_name[] = "ping_pong";

struct PingPong : RunOptions {
    int round_trips = 1;
};

/// Two ranks with a row each send it to and fro. Ranks have to call this, too, to know the
/// function.
RankCall ping_pong_call(const PingPong& options);

}  // namespace harness
