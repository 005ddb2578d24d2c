#pragma once

// Scans with a common mistake, for labs whose variants scan.

#include <cstdint>
#include <string>
#include <vector>

namespace harness {

/// An inclusive scan of segments, whose totals are carried from one segment to the next. The
/// defaults are a right scan.
struct ScanRules {
    int segment = 0;         ///< values of a segment; 0: all
    int parts = 1;           ///< or this number of segments, one per thread
    bool exclusive = false;  ///< a value is not counted in its own sum
    enum Carry {
        all,       ///< of all segments before
        previous,  ///< of the segment before only
        none,
        value,  ///< the last value of the segment before, in place of its last sum
        first,  ///< the first sum of the segment before
        twice   ///< of all segments before, and the carry into the one before once more
    } carry = all;
    /// Values of each thread's part of a segment. A thread carries the totals of the parts up to
    /// its own; 0: of all.
    int part_of_thread = 0;
    bool carries_own_part = false;  ///< only its own, not those of the parts before
    int missing_distance = 0;       ///< the step left out of a scan by doubling distances
    int lockstep = 0;       ///< threads that read together, without a barrier for the others
    bool adds_own = false;  ///< lanes below the distance add their own value, as shuffles give it
    bool strict = false;    ///< lane > distance for >=
};

std::vector<std::int64_t> scanned(std::vector<std::int64_t> values, const ScanRules& rules);

struct WrongScan {
    std::string name;
    ScanRules rules;
};

/// The common mistakes in a scan. Those in long segments make no difference to a short scan.
std::vector<WrongScan> wrong_scans();

}  // namespace harness
