#pragma once

#include <cstddef>
#include <functional>

#include "harness/statistics.hpp"

// The peak rates of arithmetic and of memory: the two roofs of a roofline. Each function measures
// several times and returns the statistics of the rates.

namespace harness {

/// GFLOP/s (1e9 float operations, two per multiply-add) of `threads` threads that do nothing else,
/// in registers, with the widest vectors that this CPU has.
Statistics host_fma_gflop_per_s(int threads);

/// The same for a kernel on the GPU.
Statistics device_fma_gflop_per_s();

/// A memcpy divided among `threads` threads that moves `bytes` in all, reads plus writes. Each call
/// returns ms.
std::function<double()> host_copy(std::size_t bytes, int threads);

/// Calls until 2 ms have passed, at most 20 times.
void repeat_briefly(const std::function<double()>& call);

/// GB/s (1e9 bytes, reads plus writes) of host_copy, or of device_copy (device.hpp).
Statistics copy_gb_per_s(std::size_t bytes, bool on_device, int threads);

}  // namespace harness
