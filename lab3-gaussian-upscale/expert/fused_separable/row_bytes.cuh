#pragma once

// Bytes of a source row around a place, as a thread of cuda_best holds them in registers, and how
// they are widened.

#include "common/view.hpp"
#include "slopes.cuh"

namespace upscale {

using common::DeviceView;

/// Added to every source value. Weights sum to 1, so it is in every sum as well, which then lies
/// between 1024 and 2048, where bits 13 to 20 of a float are those of a pixel's value: 256 leaves
/// room for sums that are too small, 0.5 rounds.
static constexpr float bias = 1024 + 256 + 0.5f;

/// The bytes of a row that are needed in order to widen Group of them: a halo on both sides.
template <int Channels, int Radius, int Group>
struct Window {
    static constexpr int halo = (Channels * Radius + 7) / 8 * 8;
    static constexpr int bytes = halo + Group + halo;
    unsigned words[bytes / 4];

    /// 2^23 + byte i: putting a byte into a float's mantissa is faster than converting it.
    __device__ float raised(int i) const {
        const unsigned selector = 0x7440 + static_cast<unsigned>(i % 4);
        return __uint_as_float(__byte_perm(words[i / 4], 0x4b000000, selector));
    }

    __device__ float biased(int i) const { return raised(i) - (8388608 - bias); }

    /// How much more byte i + Channels is than byte i.
    __device__ float difference(int i) const { return raised(i + Channels) - raised(i); }
};

/// A pixel repeated again and again, of which a word begins with that channel.
template <int Channels>
static __device__ unsigned repeated(unsigned pixel, int first_channel) {
    if (Channels == 1) return __byte_perm(pixel, 0, 0x0000);
    const unsigned selector = first_channel == 0 ? 0x0210 : first_channel == 1 ? 0x1021 : 0x2102;
    return __byte_perm(pixel, 0, selector);
}

/// The window that begins at byte `begin` of a row, and beside the image the row's first pixel or
/// its last again. A last word may reach into the row's padding.
template <int Channels, int Radius, int Group>
static __device__ void load_at_border(Window<Channels, Radius, Group>& window,
                                      const std::uint8_t* row, std::ptrdiff_t begin,
                                      std::ptrdiff_t row_length) {
    constexpr int words = Window<Channels, Radius, Group>::bytes / 4;
    constexpr int whole_pixels = 8 * Channels;  // so that what is divided is not negative
    constexpr int first_place = whole_pixels - Window<Channels, Radius, Group>::halo;
    const std::ptrdiff_t last_word = (row_length - 1) / 4 * 4;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        const std::ptrdiff_t at = min(max(begin + 4 * i, std::ptrdiff_t{0}), last_word);
        window.words[i] = *reinterpret_cast<const unsigned*>(row + at);
    }
    const unsigned first = *reinterpret_cast<const unsigned*>(row);
    unsigned last = 0;
    for (int c = 0; c < Channels; ++c) last |= row[row_length - Channels + c] << (8 * c);
    const auto left = static_cast<int>(
        min(max(row_length - begin, std::ptrdiff_t{0}), std::ptrdiff_t{4 * words}));
    const int before = begin < 0 ? static_cast<int>(-begin) : 0;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        const int channel = (first_place + 4 * i) % Channels;
        const int inside = left - 4 * i;
        const unsigned mask = inside >= 4 ? ~0U : inside > 0 ? (1U << 8 * inside) - 1 : 0;
        window.words[i] = (window.words[i] & mask) | (repeated<Channels>(last, channel) & ~mask);
        if (4 * i < before) window.words[i] = repeated<Channels>(first, channel);
    }
}

/// Whether the window that begins at byte `begin` of a row has bytes beside the image.
template <class Bytes>
static __device__ bool at_border(std::ptrdiff_t begin, std::ptrdiff_t row_length) {
    return begin < 0 || begin + Bytes::bytes > row_length;
}

/// The window that begins at `from`, all of it in the image.
template <int Channels, int Radius, int Group>
static __device__ void load_inside(Window<Channels, Radius, Group>& window,
                                   const std::uint8_t* from) {
    using Bytes = Window<Channels, Radius, Group>;
    if constexpr (Group % 8 == 0) {  // so it begins at a multiple of 8
#pragma unroll
        for (int i = 0; i < Bytes::bytes / 8; ++i) {
            const uint2 pair = __ldg(reinterpret_cast<const uint2*>(from) + i);
            window.words[2 * i] = pair.x;
            window.words[2 * i + 1] = pair.y;
        }
    } else {
#pragma unroll
        for (int i = 0; i < Bytes::bytes / 4; ++i) {
            window.words[i] = __ldg(reinterpret_cast<const unsigned*>(from) + i);
        }
    }
}

/// Row y, or the nearest that the image has.
static __device__ const std::uint8_t* nearest_row(DeviceView<const std::uint8_t> in, int y) {
    return in.row(min(max(y, 0), in.height - 1));
}

/// Value `column` of the 2 * Group that the group's bytes are widened to. To be called with
/// constants: what neighbours have in common is then computed once.
template <int Taps, int Channels, int Group>
static __device__ float wide_value(const Window<Channels, Taps / 2, Group>& window,
                                   const Slopes<Taps>& even, int column) {
    using Bytes = Window<Channels, Taps / 2, Group>;
    constexpr int radius = Taps / 2;
    const int base = Bytes::halo + column / Channels / 2 * Channels + column % Channels;
    const bool is_even = column / Channels % 2 == 0;
    return weighted(window.biased(base), even, [&](int k) {
        return is_even ? window.difference(base + (k - radius) * Channels)
                       : -window.difference(base - (k + 1 - radius) * Channels);
    });
}

}  // namespace upscale
