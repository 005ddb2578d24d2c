#pragma once

// How blocks that run at the same time tell each other their sums (decoupled look-back, Merrill and
// Garland): a block publishes what it adds as soon as it knows it, goes back over what those before
// it have published, until it finds one that knows the whole sum up to there, and then publishes
// the whole sum up to itself.
//
// A value is published together with its state, in one word that is written in one piece. So there
// is nothing else to be put in order: the accesses are atomic and relaxed, and take no fence. Each
// call has a number, which is a part of the state; so nothing has to be cleared between calls.

#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

namespace integral {

/// 32 bits of a value, below the state that they are in.
using Word = unsigned long long;

/// A word that other blocks look at.
using SharedWord = cuda::atomic_ref<Word, cuda::thread_scope_device>;

template <class Sum>
constexpr int words_of = static_cast<int>(sizeof(Sum) / sizeof(unsigned));

/// What a published value is the sum of: the block's share alone, or all up to it. In words, the
/// state is four times the number of the call and this.
enum Extent : unsigned { unknown = 0, own_share = 1, whole = 2 };

template <class Sum>
struct Published {
    Sum value;
    unsigned extent;
};

template <class Sum>
static __device__ void publish(Word* words, Sum value, unsigned call, Extent extent) {
#pragma unroll
    for (int i = 0; i < words_of<Sum>; ++i) {
        const auto bits = static_cast<unsigned>(static_cast<std::uint64_t>(value) >> (32 * i));
        const Word word = static_cast<Word>(4 * call + extent) << 32 | bits;
        SharedWord(words[i]).store(word, cuda::memory_order_relaxed);
    }
}

template <class Sum>
static __device__ Published<Sum> look(Word* words, unsigned call) {
    std::uint64_t value = 0;
    unsigned extent = 0;
#pragma unroll
    for (int i = 0; i < words_of<Sum>; ++i) {
        const Word word = SharedWord(words[i]).load(cuda::memory_order_relaxed);
        const unsigned state = static_cast<unsigned>(word >> 32) - 4 * call;
        const unsigned part = state <= whole ? state : unknown;
        value |= (word & 0xffffffffu) << (32 * i);
        extent = i == 0 || part == extent ? part : unknown;  // halves of different values
    }
    return {static_cast<Sum>(value), extent};
}

/// Between two looks at a word that is not yet there.
static __device__ void pause() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __nanosleep(20);
#else
    __threadfence();
#endif
}

/// The sum over `count` shares before this one, whose words lie `step` apart.
template <class Sum>
static __device__ Sum look_back(Word* words, std::ptrdiff_t step, int count, unsigned call) {
    Sum sum = 0;
    for (; count > 0; --count) {
        words -= step;
        Published<Sum> seen = look<Sum>(words, call);
        while (seen.extent == unknown) {
            pause();
            seen = look<Sum>(words, call);
        }
        sum += seen.value;
        if (seen.extent == whole) return sum;
    }
    return sum;
}

/// Publishes a share, and then the whole sum. Returns the sum before the share.
template <class Sum>
static __device__ Sum publish_and_look_back(Word* own, std::ptrdiff_t step, int count,
                                            unsigned call, Sum value) {
    if (count > 0) publish(own, value, call, own_share);
    const Sum before = look_back<Sum>(own, step, count, call);
    publish(own, before + value, call, whole);
    return before;
}

}  // namespace integral
