#pragma once

#include <array>

#include "block.hpp"

namespace emulation {

/// mma.m16n8k32 of a whole warp. A lane that is missing takes part with nothing.
void multiply_matrices(const std::array<LanePart*, warp_size>& lanes);

}  // namespace emulation
