#pragma once

// The parts of an explanation.

#include <string>
#include <vector>

#include "emulation/counters.hpp"
#include "explain/explain.hpp"

namespace harness {

using Kernels = std::vector<emulation::KernelCounts>;

/// A table of the kernel's launches, lines and totals, and the sentences of `advice`.
std::string table_of(const emulation::KernelCounts& kernel);

std::vector<Metric> metrics_of(const Kernels& kernels);

/// One sentence about each of the lines whose counts are the farthest from the ideal.
std::vector<std::string> advice(const emulation::KernelCounts& kernel);

/// An SVG of the lines with the most sectors and bank conflicts. Empty without accesses.
std::string drawing_of(const Kernels& kernels);

/// "10_cuda_per_channel.cu:32".
std::string short_place(const emulation::LineCounts& line);

/// The text of a line of source code without indentation, as far as it fits. Empty if the file
/// cannot be read.
std::string source_text(const emulation::LineCounts& line, std::size_t most);

/// "load", "store" or "atomic".
std::string to_string(emulation::Operation operation);

/// "(7,16,0)".
std::string to_string(const uint3& index);

inline double per_request(std::uint64_t count, const emulation::AccessCounts& counts) {
    return static_cast<double>(count) / static_cast<double>(counts.requests);
}

}  // namespace harness
