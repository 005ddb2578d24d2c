#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "ladder/parts/separable.hpp"
#include "window.cuh"

// The sums of a thread: a row of the image added to them, and their conversion to pixels.

namespace convolution {

static constexpr unsigned both = 0x00010001;  // times a 16-bit value: a pair of it

/// The decomposed mask in the type of the sums. As a kernel parameter it lies in constant memory,
/// from which arithmetic instructions take operands without a load.
template <class Sum, int N>
struct Taps {
    Sum weights[N * N];
    Sum column[N];
    Sum row[N];
    float centre;
    float scale;
    int shift;
    unsigned bias;

    explicit Taps(const Decomposition& mask)
        : centre(mask.centre), scale(mask.scale), shift(mask.shift), bias(mask.bias) {
        const auto as_sum = [](float weight) {
            if constexpr (std::is_same_v<Sum, float>) {
                return weight;
            } else {
                return static_cast<int>(weight);  // modulo 2^32
            }
        };
        std::transform(mask.weights, mask.weights + N * N, weights, as_sum);
        std::transform(mask.column, mask.column + N, column, as_sum);
        std::transform(mask.row, mask.row + N, row, as_sum);
    }
};

/// Moves the sliding window down by one row: shifts the sums, begins new ones with `first`, and
/// adds the row to the N output rows whose windows contain it. This completes `sums[0]`.
template <bool Separable, int Channels, class Sum, int N, class S>
static __device__ void add_row(const Window<S>& window, const Taps<Sum, N>& taps, Sum first,
                               Sum (&sums)[N][S::sums]) {
    Sum values[4 * S::window_words];
    unpack(window, values);
#pragma unroll
    for (int q = 0; q < S::sums; ++q) {
        const Sum* left = values + 4 * S::halo_words - S::halo + S::place(q);
        Sum along{};
        if constexpr (Separable) {
#pragma unroll
            for (int j = 0; j < N; ++j) along += taps.row[j] * left[j * Channels];
        }
#pragma unroll
        for (int r = 0; r < N; ++r) {
            const int i = N - 1 - r;  // of the mask's rows
            Sum sum = r + 1 < N ? sums[r + 1][q] : first;
            if constexpr (Separable) {
                sum += taps.column[i] * along;
                if constexpr (std::is_same_v<Sum, float>) {
                    if (i == N / 2) sum += taps.centre * left[i * Channels];
                }
            } else {
#pragma unroll
                for (int j = 0; j < N; ++j) sum += taps.weights[i * N + j] * left[j * Channels];
            }
            sums[r][q] = sum;
        }
    }
}

/// A float whose last byte is `value`, which is 0 to 255, truncated.
static __device__ unsigned truncated(float value) {
    return __float_as_uint(__fadd_rz(value, 8388608.0f));
}

/// The last bytes of four registers.
static __device__ unsigned last_bytes(unsigned a, unsigned b, unsigned c, unsigned d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/// Four sums as pixel values: scaled, clamped to 0..255, then truncated.
template <int N>
static __device__ unsigned pixels(const float* sums, const Taps<float, N>& taps) {
    unsigned values[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) {
        const float sum = N <= 5 ? sums[b] : sums[b] * taps.scale;  // scale = 1 for these
        values[b] = truncated(fminf(fmaxf(sum, 0.0f), 255.0f));
    }
    return last_bytes(values[0], values[1], values[2], values[3]);
}

template <int N>
static __device__ unsigned pixels(const Pair* sums, const Taps<Pair, N>& taps) {
    const unsigned bias = taps.bias * both;
    Pair values[2];
#pragma unroll
    for (int p = 0; p < 2; ++p) values[p] = __vmaxu2(sums[p], bias) - bias;
    if (taps.shift >= 0) {
        const unsigned kept = (0xffffU >> taps.shift) * both;
#pragma unroll
        for (int p = 0; p < 2; ++p) {
            values[p] = __vminu2(values[p] >> taps.shift & kept, 0x00ff00ff);
        }
        return __byte_perm(values[0], values[1], 0x6240);
    }
    unsigned scaled[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) {
        const unsigned half = b < 2 ? 0x7610 : 0x7632;  // of the pair
        const float shifted = __uint_as_float(__byte_perm(values[b % 2], 0x4b000000, half));
        const float value = fmaf(shifted, taps.scale, -8388608.0f * taps.scale);
        scaled[b] = truncated(fminf(value, 255.0f));
    }
    return last_bytes(scaled[0], scaled[1], scaled[2], scaled[3]);
}

/// Writes the thread's bytes of one output row, where they are inside the image.
template <bool Edge, class S, class Sum, class Taps>
static __device__ void store(const Sum* sums, const Taps& taps, std::uint8_t* to, int count) {
    unsigned words[S::words];
#pragma unroll
    for (int i = 0; i < S::words; ++i) words[i] = pixels(sums + i * S::sums / S::words, taps);
    if (Edge && count < S::bytes) {
#pragma unroll
        for (int b = 0; b < S::bytes; ++b) {
            if (b < count) to[b] = words[b / 4] >> b % 4 * 8;
        }
    } else if constexpr (S::words == 4) {
        // Streaming: no kernel reads it again soon.
        __stcs(reinterpret_cast<uint4*>(to), make_uint4(words[0], words[1], words[2], words[3]));
    } else if constexpr (S::words == 2) {
        *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
    } else {
        *reinterpret_cast<unsigned*>(to) = words[0];
    }
}

}  // namespace convolution
