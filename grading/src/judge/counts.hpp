#pragma once

// Rules for counters, and what a worker says that its kernels have done.

#include <cstddef>
#include <string>

#include "worker/protocol.hpp"

namespace grading {

/// True for the names of `run --explain` and of Nsight Compute.
bool is_counter(const std::string& name);

/// The value of a counter of `run --explain`: the sum over the kernels of this name, or, with "",
/// over all. Throws BadUsage if there is no such counter.
double counter_value(const Counts& counts, const std::string& counter, const std::string& kernel);

/// Why these counts cannot be those of kernels that have read their input and written their output:
/// a kernel that a rule names reads at least as many bytes as the input has, and all kernels
/// together write the output. "" if they can be. Throws nothing, whatever a worker has written.
std::string why_implausible(const Counts& counts, const std::string& kernel, std::size_t bytes_in,
                            std::size_t bytes_out);

}  // namespace grading
