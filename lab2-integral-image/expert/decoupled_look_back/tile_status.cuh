#pragma once

// Decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled
// Look-back): each tile records its aggregate as soon as it knows it, looks back over the tiles
// before it, adds their aggregates until it finds an inclusive prefix, and then records its own.
//
// A value and its status share one word, which is stored by one instruction. So the accesses can
// be relaxed atomics, without a fence. The status contains the epoch, the number of the call: words
// of earlier calls count as invalid, and nothing has to be cleared between calls.

#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

namespace integral {

/// 32 bits of a value, below their status: four times the epoch plus a TileStatus.
using StatusWord = unsigned long long;

/// The words of a 32-bit or 64-bit value.
template <class Sum>
constexpr int status_words = sizeof(Sum) / sizeof(unsigned);

enum TileStatus : unsigned { invalid = 0, aggregate = 1, inclusive_prefix = 2 };

template <class Sum>
struct TileState {
    Sum value;
    unsigned status;
};

template <class Sum>
static __device__ void set_status(StatusWord* words, Sum value, unsigned epoch, TileStatus status) {
#pragma unroll
    for (int i = 0; i < status_words<Sum>; ++i) {
        const unsigned bits = static_cast<std::uint64_t>(value) >> (32 * i);
        const StatusWord word = static_cast<StatusWord>(4 * epoch + status) << 32 | bits;
        cuda::atomic_ref<StatusWord, cuda::thread_scope_device>(words[i]).store(
            word, cuda::memory_order_relaxed);
    }
}

template <class Sum>
static __device__ TileState<Sum> get_status(StatusWord* words, unsigned epoch) {
    std::uint64_t value = 0;
    unsigned status = 0;
#pragma unroll
    for (int i = 0; i < status_words<Sum>; ++i) {
        const StatusWord word =
            cuda::atomic_ref<StatusWord, cuda::thread_scope_device>(words[i]).load(
                cuda::memory_order_relaxed);
        const unsigned in_epoch = (word >> 32) - 4 * epoch;
        const unsigned part = in_epoch <= inclusive_prefix ? in_epoch : invalid;
        value |= (word & 0xffffffffu) << (32 * i);
        status = i == 0 || part == status ? part : invalid;  // halves of different values
    }
    return {static_cast<Sum>(value), status};
}

/// Between two loads of an invalid status.
static __device__ void back_off() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __nanosleep(20);
#else
    __threadfence();
#endif
}

/// The exclusive prefix of a tile with `count` predecessors, whose words lie `step` apart.
template <class Sum>
static __device__ Sum look_back(StatusWord* words, std::ptrdiff_t step, int count, unsigned epoch) {
    Sum sum = 0;
    for (; count > 0; --count) {
        words -= step;
        TileState<Sum> state = get_status<Sum>(words, epoch);
        while (state.status == invalid) {
            back_off();
            state = get_status<Sum>(words, epoch);
        }
        sum += state.value;
        if (state.status == inclusive_prefix) return sum;
    }
    return sum;
}

/// Records the tile's aggregate, then its inclusive prefix. Returns the exclusive prefix.
template <class Sum>
static __device__ Sum exclusive_prefix(StatusWord* own, std::ptrdiff_t step, int count,
                                       unsigned epoch, Sum value) {
    if (count > 0) set_status(own, value, epoch, aggregate);
    const Sum before = look_back<Sum>(own, step, count, epoch);
    set_status(own, before + value, epoch, inclusive_prefix);
    return before;
}

}  // namespace integral
