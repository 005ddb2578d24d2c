#pragma once

#include <span>
#include <string>

#include "ranks/wire.hpp"

namespace harness {

/// The mistake that explains why these ranks wait for each other: "; rank 0 has sent to it with tag
/// 1, not 2", for example. "" if none is known.
std::string why_stuck(std::span<const wire::RankState> ranks);

}  // namespace harness
