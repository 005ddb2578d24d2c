#pragma once

// `run --explain`: what kernels do in memory, counted while they run on the CPU. Only builds with
// LABS_CUDA=EMULATE can count; in others the functions throw Unavailable.

#include <functional>
#include <memory>
#include <string>

#include "common/variant.hpp"

namespace harness {

using namespace common;

/// Throws Unavailable if this build cannot count.
void require_counters();

/// The counts of the kernels that a call launches.
class Explanation {
  public:
    /// Calls the function, and counts.
    explicit Explanation(const std::function<void()>& call);
    ~Explanation();
    Explanation(const Explanation&) = delete;
    Explanation& operator=(const Explanation&) = delete;

    /// A table for each kernel, and what to look at.
    std::string text() const;

    /// Emits the counts of each kernel, see harness/events.hpp.
    void emit() const;

    /// The bytes of all sectors of global memory that loads, stores and atomic functions touch.
    double sector_bytes() const;

    /// An SVG: which bytes and banks the lanes of a warp access. Empty without accesses.
    std::string picture() const;

    /// The totals of two variants with their ratios.
    std::string beside(const Explanation& other, const std::string& own_name,
                       const std::string& other_name) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace harness
