#pragma once

#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>

// A thread's window in one row: loaded in whole words, and unpacked to the type of the sums.

namespace convolution {

/// Two 16-bit sums in a register, the first in its lower half.
using Pair = unsigned;

/// The layout of a thread's bytes, for a mask size and a type of sums.
template <class Sum, int N, int Channels>
struct Shape {
    static constexpr int bytes = N <= 5 ? 16 : N <= 9 ? 8 : 4;  ///< of a row, per thread
    static constexpr int words = bytes / 4;
    static constexpr int halo = N / 2 * Channels;
    static constexpr int halo_words = (halo + 3) / 4;
    static constexpr int window_words = words + 2 * halo_words;
    static constexpr int sums = std::is_same_v<Sum, Pair> ? bytes / 2 : bytes;

    /// The index of the byte of sum `q`; of a pair, the first. The second is two bytes further, so
    /// that one AND or one byte permutation makes a pair.
    static constexpr int place(int q) { return std::is_same_v<Sum, Pair> ? q / 2 * 4 + q % 2 : q; }
};

/// A thread's bytes and their halo in one row, as they lie in memory.
template <class S>
struct Window {
    unsigned words[S::window_words];
};

/// `Count` words from a multiple of `Alignment` bytes, in one vector load where these permit it.
template <int Count, int Alignment>
static __device__ void load_words(const std::uint8_t* from, unsigned* words) {
    static_assert(Alignment % 4 == 0);
    if constexpr (Count == 4 && Alignment % 16 == 0) {
        const auto loaded = *reinterpret_cast<const uint4*>(from);
        words[0] = loaded.x;
        words[1] = loaded.y;
        words[2] = loaded.z;
        words[3] = loaded.w;
    } else if constexpr (Count == 2 && Alignment % 8 == 0) {
        const auto loaded = *reinterpret_cast<const uint2*>(from);
        words[0] = loaded.x;
        words[1] = loaded.y;
    } else {
        for (int i = 0; i < Count; ++i) words[i] = reinterpret_cast<const unsigned*>(from)[i];
    }
}

/// The window around byte `begin` of `row`, all inside the image. Rows begin at multiples of 16
/// bytes, and `begin` is a multiple of S::bytes, so a thread's bytes and those after them are
/// aligned to S::bytes. The bytes before them begin a halo earlier.
template <class S>
static __device__ Window<S> load_inside(const std::uint8_t* row, std::ptrdiff_t begin) {
    constexpr int halo_bytes = 4 * S::halo_words;
    Window<S> window;
    const std::uint8_t* own = row + begin;
    load_words<S::halo_words, std::gcd(S::bytes, halo_bytes)>(own - halo_bytes, window.words);
    load_words<S::words, S::bytes>(own, window.words + S::halo_words);
    load_words<S::halo_words, S::bytes>(own + S::bytes, window.words + S::halo_words + S::words);
    return window;
}

/// The same at an edge: zeros outside the image, which add nothing to a sum. A word that begins
/// inside a row may be loaded whole, because rows are padded.
template <class S>
static __device__ Window<S> load_edge(const std::uint8_t* row, std::ptrdiff_t begin,
                                      std::ptrdiff_t length, bool row_inside) {
    Window<S> window;
#pragma unroll
    for (int i = 0; i < S::window_words; ++i) {
        const std::ptrdiff_t at = begin + 4 * (i - S::halo_words);
        unsigned word = 0;
        if (row_inside && at >= 0 && at < length) {
            word = *reinterpret_cast<const unsigned*>(row + at);
            if (length - at < 4) word &= (1U << 8 * (length - at)) - 1;
        }
        window.words[i] = word;
    }
    return window;
}

/// The bytes of a window as floats.
template <class S>
static __device__ void unpack(const Window<S>& window, float* values) {
#pragma unroll
    for (int b = 0; b < 4 * S::window_words; ++b) {
        // As a half, 1024 + a byte has the byte in its last bits. Four instructions make two floats
        // of two bytes, without slow integer conversions.
        const unsigned biased =
            __byte_perm(window.words[b / 4], 0x64646464, b % 4 < 2 ? 0x4140 : 0x4342);
        const __half2 two =
            __hsub2(reinterpret_cast<const __half2&>(biased), __float2half2_rn(1024.0f));
        values[b] = b % 2 == 0 ? __low2float(two) : __high2float(two);
    }
}

/// The bytes of a window as pairs: each byte and the one two further.
template <class S>
static __device__ void unpack(const Window<S>& window, Pair* values) {
#pragma unroll
    for (int i = 0; i < S::window_words; ++i) {
        values[4 * i] = window.words[i] & 0x00ff00ff;
        values[4 * i + 1] = __byte_perm(window.words[i], 0, 0x4341);
    }
#pragma unroll
    for (int i = 0; i + 1 < S::window_words; ++i) {
        values[4 * i + 2] = __byte_perm(values[4 * i], values[4 * i + 4], 0x5432);
        values[4 * i + 3] = __byte_perm(values[4 * i + 1], values[4 * i + 5], 0x5432);
    }
}

}  // namespace convolution
