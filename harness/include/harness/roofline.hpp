#pragma once

#include <cstddef>

#include "harness/statistics.hpp"

// The peak rates of arithmetic and of memory: the two roofs of a roofline. Each function measures
// several times and returns the statistics of the rates.

namespace harness {

/// GFLOP/s (1e9 float operations, two per multiply-add) of `threads` threads that do nothing else,
/// in registers, with the widest vectors that this CPU has.
Statistics host_fma_gflop_per_s(int threads);

/// The same for a kernel on the GPU.
Statistics device_fma_gflop_per_s();

/// GB/s (1e9 bytes, reads plus writes) of a plain copy that moves `bytes` in all: a cudaMemcpy
/// within the GPU's memory, or a memcpy divided among `threads` threads.
Statistics copy_gb_per_s(std::size_t bytes, bool on_device, int threads);

}  // namespace harness
