#pragma once

#include "harness/lab.hpp"

namespace common {

/// Prints the CPU, the GPU, and what the kernels of each variant use of the GPU.
void print_device(const Lab& lab);

}  // namespace common
