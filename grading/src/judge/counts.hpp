#pragma once

// Computes counters from the counts that a worker has sent, and checks that these are plausible.

#include <cstddef>
#include <cstdint>
#include <string>

#include "worker/protocol.hpp"

namespace grading {

/// True for the names of `run --explain` and of Nsight Compute.
bool is_counter(const std::string& name);

/// The value of a counter of `run --explain`: the sum over the kernels of this name, or, with "",
/// over all. Throws BadUsage if there is no such counter.
double counter_value(const Counts& counts, const std::string& counter, const std::string& kernel);

/// The bytes that one thread can have stored in all launches together: the sum of the most of each.
std::uint64_t most_stored(const Counts& counts);

/// Returns why kernels that read the input and write the output cannot have these counts, or "" if
/// they can. The kernel that a rule names reads at least as many bytes as the input has, and all
/// kernels together write the output. Throws nothing, whatever a worker has written.
std::string why_implausible(const Counts& counts, const std::string& kernel, std::size_t bytes_in,
                            std::size_t bytes_out);

}  // namespace grading
