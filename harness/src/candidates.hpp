#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/lab.hpp"
#include "harness/measure.hpp"

namespace common {

/// Times of one repeat, in ms.
struct Times {
    double kernel_ms = 0;
    double total_ms = 0;
};

/// One member of the rounds in which a problem is measured: a variant, or a plain copy.
class Candidate {
  public:
    virtual ~Candidate() = default;

    /// Calls without a clock that bring caches, clocks and thread pools into the state that
    /// repeated calls find.
    virtual void warm_up() = 0;

    /// One repeat. Throws Failed, beginning with WRONG, if the output is not the verified one.
    virtual Times measure() = 0;

    /// Threads whose cores are watched for other work: those of OpenMP that it uses, or the calling
    /// one if a library has threads of its own. 0 if it runs on the GPU, whose clock other work on
    /// the CPU does not change.
    virtual int watched_threads() const = 0;

    /// Whether its threads are those of OpenMP, which are bound to cores.
    virtual bool bound() const = 0;
};

/// A trial's runner after its first call, whose output was verified by `check`.
std::unique_ptr<Candidate> variant_candidate(const Trial& trial, Runner& runner,
                                             const Check& check);

/// A copy that moves `bytes` in all, reads plus writes: a cudaMemcpy within the GPU's memory, or a
/// memcpy shared out to `threads` threads.
std::unique_ptr<Candidate> device_copy_candidate(std::size_t bytes);
std::unique_ptr<Candidate> host_copy_candidate(std::size_t bytes, int threads);

}  // namespace common
