#pragma once

// The counts of a kernel in a test.

#include "emulation/counters.hpp"
#include "faults.hpp"

using emulation::AccessCounts;
using emulation::KernelCounts;
using emulation::LineCounts;
using emulation::Operation;
using emulation::Space;

/// The kernel that `launch` launches.
template <class Launch>
KernelCounts counted(Launch launch) {
    const emulation::Counting counting;
    launch();
    EXPECT_EQ(last_message(), "");
    const auto kernels = counting.kernels();
    EXPECT_EQ(kernels.size(), 1u);
    return kernels.empty() ? KernelCounts{} : kernels.front();
}

inline AccessCounts sum(const KernelCounts& kernel, Space space, Operation operation) {
    AccessCounts all;
    for (const LineCounts& line : kernel.lines) {
        if (line.space == space && line.operation == operation) all.add(line.counts);
    }
    return all;
}

inline AccessCounts global_loads(const KernelCounts& kernel) {
    return sum(kernel, Space::global, Operation::load);
}
inline AccessCounts shared_loads(const KernelCounts& kernel) {
    return sum(kernel, Space::shared, Operation::load);
}
