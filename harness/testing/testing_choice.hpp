#pragma once

// Chooses the configurations of a test that are checked where a kernel is emulated. The choice
// depends on the test alone, so that it is the same for every variant and on every machine.

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness/testing.hpp"

namespace harness {

/// What a call costs, in operations of a thread. Starting kernels costs as much as some pixels.
double work_of(const VariantCall& variant_call);

/// What tells a call from others.
struct Features {
    std::set<std::size_t> values;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
};

/// Chooses calls that have each value of each parameter (width, height, type, and what
/// VariantCall::parameters names) once, and then as many pairs of values as `work` allows. Words
/// and numbers of a value such as "gauss5" count as two parameters. A parameter that has more than
/// `most_values` is one that differs from call to call.
class Choice {
  public:
    Choice(const std::vector<VariantCall>& calls, double work,
           std::size_t most_values = std::numeric_limits<std::size_t>::max());

    /// The number of the next call, if another one is needed.
    std::optional<std::size_t> next() const;

    void take(std::size_t number);
    /// The variant refuses this call: others have to have its values.
    void drop(std::size_t number) { left_[number] = {}; }

  private:
    std::vector<double> costs_{};
    double work_;
    std::vector<Features> left_{};  ///< what each call has and those that were taken have not
};

/// The numbers of all that are chosen.
std::vector<std::size_t> choose(const std::vector<VariantCall>& calls, double work,
                                std::size_t most_values = std::numeric_limits<std::size_t>::max());

}  // namespace harness
