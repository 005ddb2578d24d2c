// Counts what emulated kernels do. This runs in the student's process; docs/grading.md says what
// the numbers are worth.

#include <algorithm>
#include <cstring>

#include "access.hpp"
#include "common/error.hpp"
#include "emulation/counters.hpp"
#include "worker/worker.hpp"

namespace grading {
namespace {

CountedKernel sums_of(const emulation::KernelCounts& counts) {
    CountedKernel sums{.launches = counts.launches,
                       .blocks = counts.blocks,
                       .warps = counts.warps,
                       .barriers = counts.barriers,
                       .most_stored = counts.most_stored};
    std::copy_n(counts.name.begin(), std::min(counts.name.size(), sums.name.size() - 1),
                sums.name.begin());
    for (const emulation::LineCounts& line : counts.lines) {
        AccessSums& sum = sums.accesses.at(static_cast<std::size_t>(line.space))
                              .at(static_cast<std::size_t>(line.operation));
        sum.requests += line.counts.requests;
        sum.sectors += line.counts.sectors;
        sum.wavefronts += line.counts.wavefronts;
        sum.conflicts += line.counts.conflicts;
        sum.bytes += line.counts.bytes;
    }
    return sums;
}

}  // namespace

Counts counted(const std::function<void()>& call) {
    const emulation::Counting counting;
    call();
    Counts counts;
    for (const emulation::KernelCounts& kernel : counting.kernels()) {
        if (counts.kernels == counts.kernel.size()) {
            throw common::Failed("it launches too many kernels to count them");
        }
        counts.kernel.at(counts.kernels++) = sums_of(kernel);
    }
    return counts;
}

}  // namespace grading

namespace {

/// Host code copies much, and is not counted, but may not copy memory of the GPU. A kernel's copy
/// is counted a byte at a time, as a GPU copies what has no alignment.
void tell(const void* address, std::size_t bytes, bool is_write, const void* code) {
    const auto on_access = is_write ? emulation::on_write : emulation::on_read;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (emulation::current_thread == nullptr) {
        if (bytes > 0) on_access(at, bytes, code, emulation::Kind::plain);
        return;
    }
    for (std::size_t i = 0; i < bytes; ++i) on_access(at + i, 1, code, emulation::Kind::plain);
}

}  // namespace

// The functions of the C library that a student's kernel may call (ld's option --wrap).
extern "C" {

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
    tell(from, bytes, false, __builtin_return_address(0));
    tell(to, bytes, true, __builtin_return_address(0));
    return std::memcpy(to, from, bytes);
}

void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
    tell(from, bytes, false, __builtin_return_address(0));
    tell(to, bytes, true, __builtin_return_address(0));
    return std::memmove(to, from, bytes);
}

void* __wrap_memset(void* to, int value, std::size_t bytes) {
    tell(to, bytes, true, __builtin_return_address(0));
    return std::memset(to, value, bytes);
}

int __wrap_memcmp(const void* a, const void* b, std::size_t bytes) {
    tell(a, bytes, false, __builtin_return_address(0));
    tell(b, bytes, false, __builtin_return_address(0));
    return std::memcmp(a, b, bytes);
}

}  // extern "C"
