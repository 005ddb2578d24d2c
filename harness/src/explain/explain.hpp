#pragma once

// `run --explain`: what kernels do in memory, counted while they run on the CPU. Only builds with
// LABS_CUDA=EMULATE can count.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Throws Unavailable if this build cannot count.
void require_counters();

/// A counter with the name that Nsight Compute gives it.
struct Metric {
    std::string name;
    std::uint64_t value;
};

/// The work of the kernels that a call launched.
struct Explanation {
    std::string text;            ///< a table for each kernel, and what to look at
    std::vector<Metric> totals;  ///< of all kernels
    std::string picture;  ///< SVG: which bytes and banks the lanes of a warp access; may be empty
    std::function<void()> emit;  ///< emits the counts of each kernel, see harness/events.hpp
};

/// Calls the function, and counts.
Explanation explained(const std::function<void()>& call);

}  // namespace harness
