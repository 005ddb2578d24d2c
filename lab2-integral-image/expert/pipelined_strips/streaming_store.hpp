#pragma once

// Non-temporal stores, which bypass the caches: an ordinary store to a line that is not cached
// first reads the line that it overwrites.

#include <cstdint>
#include <cstring>

#include "common/instruction_sets.hpp"

namespace integral {

/// Stores a vector non-temporally, where the CPU can; `to` is aligned to the vector.
template <class Sum, class Lanes>
ALWAYS_INLINE inline void stream(Sum* to, const Lanes& lanes) {
#if defined(__x86_64__)
    // Each intrinsic belongs to one instruction set; this compiles for the caller's.
    asm("vmovntdq %1, %0" : "=m"(*reinterpret_cast<Lanes*>(to)) : "v"(lanes));
#else
    std::memcpy(to, &lanes, sizeof lanes);
#endif
}

/// Orders the non-temporal stores of this thread before its later stores.
static void fence_streams() {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

/// Streams a row whose address is not aligned: each aligned vector consists of the end of one
/// vector of sums and the beginning of the next. The lanes before the first and after the last
/// aligned address take ordinary stores, since a line that is stored partly in each way is read
/// from memory in between.
template <class Sum, int Bytes>
struct ShiftedStream {
    static constexpr int lanes = Bytes / static_cast<int>(sizeof(Sum));
    using Sums [[gnu::vector_size(Bytes)]] = Sum;

    Sums last;     // vector whose last `pending` lanes are not yet stored
    Sums indices;  // of the shuffle that makes an aligned vector from two
    int pending;

    /// Takes the first vector. Stores the lanes before the first aligned address.
    ALWAYS_INLINE void begin(Sum* to, const Sums& sums) {
        const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % Bytes;
        pending = static_cast<int>(misaligned / sizeof(Sum));
        for (int i = 0; i < lanes; ++i) indices[i] = lanes - pending + i;
        last = sums;
        store(to, 0, lanes - pending);
    }
    ALWAYS_INLINE void push(Sum* to, const Sums& sums) {
        stream(to - pending, __builtin_shuffle(last, sums, indices));
        last = sums;
    }
    ALWAYS_INLINE void end(Sum* to) const { store(to - pending, lanes - pending, pending); }

    ALWAYS_INLINE void store(Sum* to, int first, int count) const {
        Sum values[lanes];
        std::memcpy(values, &last, sizeof values);
        for (int i = 0; i < count; ++i) to[i] = values[first + i];
    }
};

}  // namespace integral
