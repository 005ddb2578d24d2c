#pragma once

#include "harness/lab.hpp"

namespace harness {

/// Prints the CPU, the GPU, what the kernels of each variant use of the GPU, and the least time of
/// the lab by the rates of this machine.
void print_device(const Lab& lab);

}  // namespace harness
