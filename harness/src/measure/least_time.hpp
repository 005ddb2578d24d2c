#pragma once

#include <span>
#include <string>

#include "harness/lab.hpp"
#include "harness/statistics.hpp"

namespace harness {

/// The least work for the problem of a lab: each byte of input and output moved once, and the
/// operations of the definition.
struct Work {
    std::string size;  ///< of the input: "7680x4320"
    std::size_t bytes = 0;
    double operations = 0;
};

/// The two rates of a processor.
struct Rates {
    std::string processor;
    Statistics copy_gb_per_s;
    Statistics fma_gflop_per_s;
};

/// The work of lab.large.
Work large_work(const Lab& lab);

/// Measures the CPU with all its cores and, if it is no emulated one, the GPU.
std::vector<Rates> measured_rates(std::size_t copied_bytes);

/// A table of the rates and of the times that they imply, with notes.
std::string least_times(const Work& work, std::span<const Rates> processors);

}  // namespace harness
