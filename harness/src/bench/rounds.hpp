#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/disturbance.hpp"
#include "bench/targets.hpp"
#include "harness/measure.hpp"

namespace harness {

/// A target and its samples.
struct Measurement {
    std::unique_ptr<Target> target;
    std::function<void()> before_repeat = [] {};
    std::function<void()> on_exception = [] { throw; };  ///< called in the handler
    Samples samples{};
    bool failed = false;  ///< it threw, and gets no further repeats
};

/// Measures all targets in turn, one repeat of each per round, so that a change of the machine's
/// speed affects all of them equally. A repeat that other work disturbed is measured again; there
/// are up to repeats / 2 additional rounds. If those are not enough, disturbed samples are kept.
void measure_in_rounds(std::vector<Measurement>& measurements, int repeats,
                       DisturbanceDetector& detector);

}  // namespace harness
