#pragma once

// The horizontal pass of cuda_best: bytes of a source row in registers, and resampled values of
// them.

#include <cstdint>

#include "common/view.hpp"
#include "difference_weights.cuh"

namespace upscale {

using common::DeviceView;

/// Added to every source value. Weights sum to 1, so it is in every sum as well; there it makes the
/// conversion to a half round to an integer, which is then in the half's lower byte.
static constexpr float bias = 1024;

/// `Bytes` bytes of a source row, with a halo on both sides.
template <int Channels, int Radius, int Bytes>
struct RowBytes {
    static constexpr int channels = Channels;
    static constexpr int halo = (Channels * Radius + 7) / 8 * 8;
    static constexpr int bytes = halo + Bytes + halo;
    unsigned words[bytes / 4];

    /// 2^23 + byte i: a byte permutation is faster than a conversion.
    __device__ float in_mantissa(int i) const {
        const unsigned selector = 0x7440 + i % 4;
        return __uint_as_float(__byte_perm(words[i / 4], 0x4b000000, selector));
    }

    __device__ float biased(int i) const { return in_mantissa(i) - (8388608 - bias); }

    /// Byte i + Channels minus byte i.
    __device__ float difference(int i) const { return in_mantissa(i + Channels) - in_mantissa(i); }
};

/// A word of copies of a pixel, beginning with that channel.
template <int Channels>
static __device__ unsigned repeated(unsigned pixel, int first_channel) {
    if (Channels == 1) return __byte_perm(pixel, 0, 0x0000);
    const unsigned selector = first_channel == 0 ? 0x0210 : first_channel == 1 ? 0x1021 : 0x2102;
    return __byte_perm(pixel, 0, selector);
}

/// Loads the bytes from `begin` on, beside the image those of the nearest word inside. The last
/// word may reach into the row's padding.
template <int Channels, int Radius, int Bytes>
static __device__ void load_clamped(RowBytes<Channels, Radius, Bytes>& bytes,
                                    const std::uint8_t* row, std::ptrdiff_t begin,
                                    std::ptrdiff_t row_length) {
    constexpr int words = RowBytes<Channels, Radius, Bytes>::bytes / 4;
    const std::ptrdiff_t last_word = (row_length - 1) / 4 * 4;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        const std::ptrdiff_t at = min(max(begin + 4 * i, std::ptrdiff_t{0}), last_word);
        bytes.words[i] = *reinterpret_cast<const unsigned*>(row + at);
    }
}

/// Replaces the bytes beside the image by copies of the row's first or last pixel.
template <int Channels, int Radius, int Bytes>
static __device__ void repeat_edges(RowBytes<Channels, Radius, Bytes>& bytes,
                                    const std::uint8_t* row, std::ptrdiff_t begin,
                                    std::ptrdiff_t row_length) {
    constexpr int words = RowBytes<Channels, Radius, Bytes>::bytes / 4;
    constexpr int halo = RowBytes<Channels, Radius, Bytes>::halo;
    constexpr int first_byte = 8 * Channels - halo;  // whole pixels more: it is not negative
    const unsigned first = *reinterpret_cast<const unsigned*>(row);
    unsigned last = 0;
    for (int c = 0; c < Channels; ++c) last |= row[row_length - Channels + c] << (8 * c);
    const int left = min(max(row_length - begin, std::ptrdiff_t{0}), std::ptrdiff_t{4 * words});
    const int before = begin < 0 ? static_cast<int>(-begin) : 0;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        const int channel = (first_byte + 4 * i) % Channels;
        const int inside = left - 4 * i;
        const unsigned mask = inside >= 4 ? ~0U : inside > 0 ? (1U << 8 * inside) - 1 : 0;
        bytes.words[i] = (bytes.words[i] & mask) | (repeated<Channels>(last, channel) & ~mask);
        if (4 * i < halo && 4 * i < before) bytes.words[i] = repeated<Channels>(first, channel);
    }
}

/// True if bytes from `begin` on lie beside the image.
template <class Row>
static __device__ bool at_border(std::ptrdiff_t begin, std::ptrdiff_t row_length) {
    return begin < 0 || begin + Row::bytes > row_length;
}

/// Loads bytes that are all inside the image.
template <int Channels, int Radius, int Bytes>
static __device__ void load_inside(RowBytes<Channels, Radius, Bytes>& bytes,
                                   const std::uint8_t* from) {
    using Row = RowBytes<Channels, Radius, Bytes>;
    if constexpr (Bytes % 8 == 0) {  // so it begins at a multiple of 8
#pragma unroll
        for (int i = 0; i < Row::bytes / 8; ++i) {
            const uint2 pair = __ldg(reinterpret_cast<const uint2*>(from) + i);
            bytes.words[2 * i] = pair.x;
            bytes.words[2 * i + 1] = pair.y;
        }
    } else {
#pragma unroll
        for (int i = 0; i < Row::bytes / 4; ++i) {
            bytes.words[i] = __ldg(reinterpret_cast<const unsigned*>(from) + i);
        }
    }
}

/// Row y, clamped to the image.
static __device__ const std::uint8_t* nearest_row(DeviceView<const std::uint8_t> in, int y) {
    return in.row(min(max(y, 0), in.height - 1));
}

/// Value `column` of the resampled row, which is twice as long as `row`. `column` has to be a
/// compile-time constant, so that the compiler computes the differences that neighbours share once.
template <int Taps, class Row>
static __device__ float resampled_value(const Row& row, const DifferenceWeights<Taps>& even,
                                        int column) {
    constexpr int radius = Taps / 2;
    constexpr int channels = Row::channels;
    const int base = Row::halo + column / channels / 2 * channels + column % channels;
    const bool is_even = column / channels % 2 == 0;
    return weighted(row.biased(base), even, [&](int k) {
        return is_even ? row.difference(base + (k - radius) * channels)
                       : -row.difference(base - (k + 1 - radius) * channels);
    });
}

}  // namespace upscale
