#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/lab.hpp"
#include "harness/measure.hpp"

namespace harness {

/// Times of one repeat, in ms.
struct Times {
    double kernel_ms = 0;
    double total_ms = 0;
};

/// A target of the measurement in the rounds of a problem: a variant, or a plain copy.
class Target {
  public:
    virtual ~Target() = default;

    /// Calls that are not timed and bring caches, clock rates and thread pools into the state in
    /// which repeated calls find them.
    virtual void warm_up() = 0;

    /// One repeat. Throws Failed, beginning with WRONG, if the output is not the verified one.
    virtual Times measure() = 0;

    /// The number of threads whose cores are watched for other work: the OpenMP threads that it
    /// uses, or 1, the calling thread, if a library has threads of its own. 0 on the GPU, whose
    /// times do not depend on other work on the CPU.
    virtual int watched_threads() const = 0;

    /// True if it uses OpenMP threads, which are bound to cores.
    virtual bool bound() const = 0;
};

/// A trial's runner after its first call, whose output was right by `check` and has the fingerprint
/// `verified`. The runner may share its output with others, so that it no longer holds that output.
std::unique_ptr<Target> variant_target(const Trial& trial, Runner& runner, std::uint64_t verified,
                                       const Check& check);

/// A copy that moves `bytes` in all, reads plus writes: a cudaMemcpy within the GPU's memory, or a
/// memcpy divided among `threads` threads.
std::unique_ptr<Target> device_copy_target(std::size_t bytes);
std::unique_ptr<Target> host_copy_target(std::size_t bytes, int threads);

}  // namespace harness
