#pragma once

#include "common/options.hpp"
#include "harness/job.hpp"

namespace harness {

using namespace common;

inline constexpr char ping_pong_name[] = "ping_pong";

struct PingPong : RunOptions {
    int round_trips = 1;
};

/// A call in which two ranks send a row to and fro. Every rank has to call this to register the
/// function.
RankCall ping_pong_call(const PingPong& options);

}  // namespace harness
