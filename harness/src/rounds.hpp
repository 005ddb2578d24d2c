#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "candidates.hpp"
#include "disturbance.hpp"
#include "harness/measure.hpp"

namespace common {

/// A candidate in the rounds, and what it was measured at.
struct Entrant {
    std::unique_ptr<Candidate> candidate;
    Samples samples{};
    bool failed = false;  ///< left out of further rounds
};

/// Measures the entrants by turns, one repeat each per round, so that a change of the machine's
/// speed hits all of them alike. A repeat that other work disturbed is measured once more, up to
/// half as many times as `repeats`; if that does not suffice, disturbed ones are kept. `announce`
/// is called before each repeat. An exception of an entrant goes to `on_fault`, and it alone is
/// left out from then on.
void measure_in_rounds(std::vector<Entrant>& entrants, int repeats, DisturbanceDetector& detector,
                       const std::function<void(std::size_t entrant)>& announce,
                       const std::function<void(std::size_t entrant)>& on_fault);

}  // namespace common
