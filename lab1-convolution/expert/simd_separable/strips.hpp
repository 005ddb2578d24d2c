#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "pixels.hpp"
#include "problem/sizes.hpp"
#include "sums.hpp"
#include "tiling.hpp"
#include "vectors.hpp"

// Small separable masks: strips of a tile, each as wide as a cache line and walked from top to
// bottom with the sums of the last N rows in registers. Nothing is stored between the two passes.
// With each row of a strip goes a prefetch for the next tile and, where the output does not fit the
// caches, a non-temporal store, so that memory is read and written while the strip is computed.

namespace convolution {

/// The weighted sums of a row of N pixels each, in the order of `interleave`, with weights in
/// pairs.
template <int Bytes, int N>
ALWAYS_INLINE inline void sum_row_pairs(const std::uint8_t* pixels, int stride,
                                        const std::uint16_t* pairs,
                                        Vector<std::uint16_t, Bytes>& low,
                                        Vector<std::uint16_t, Bytes>& high) {
    low = high = Vector<std::uint16_t, Bytes>{};
#pragma GCC unroll 3
    for (int j = 0; j < N; j += 2) {
        Vector<std::uint8_t, Bytes> even, odd;
        Vector<std::uint16_t, Bytes> low_pairs, high_pairs;
        load(even, pixels + j * stride);
        load(odd, pixels + std::min(j + 1, N - 1) * stride);  // the last pair's second weight is 0
        interleave(even, odd, low_pairs, high_pairs);
        add_products(low, low_pairs, pairs[j / 2]);
        add_products(high, high_pairs, pairs[j / 2]);
    }
}

/// `count` rows of a strip that begins at byte `offset` of the source's rows. `use(r, low, high)`
/// gets the sums in the order of `interleave`.
template <int Bytes, int N, class Use>
ALWAYS_INLINE inline void sum_strip(const std::uint8_t* const* rows, int offset, int stride,
                                    const Taps<std::uint16_t>& taps, int count, Use use) {
    Vector<std::uint16_t, Bytes> low[N], high[N];  // row r is in place r % N
#pragma GCC unroll 4
    for (int s = 0; s < N - 1; ++s) {
        sum_row_pairs<Bytes, N>(rows[s] + offset, stride, taps.row_pairs, low[s], high[s]);
    }
    for (int first = 0;; first += N) {
#pragma GCC unroll 5
        for (int k = 0; k < N; ++k) {
            if (first + k == count) return;
            const int last = (k + N - 1) % N;
            const std::uint8_t* row = rows[first + k + N - 1] + offset;
            sum_row_pairs<Bytes, N>(row, stride, taps.row_pairs, low[last], high[last]);
            __builtin_prefetch(row + tile_width);
            Vector<std::uint16_t, Bytes> low_sum = {}, high_sum = {};
#pragma GCC unroll 5
            for (int j = 0; j < N; ++j) {
                low_sum += taps.column[j] * low[(k + j) % N];
                high_sum += taps.column[j] * high[(k + j) % N];
            }
            use(first + k, low_sum, high_sum);
        }
    }
}

/// With larger masks, the registers do not suffice.
template <int Bytes, class Sum>
constexpr int largest_strip_mask = Bytes >= 32 && !std::is_same_v<Sum, float> ? 5 : 0;

template <int Bytes, class Sum>
ALWAYS_INLINE inline bool suits_strips(const Decomposition& mask, const Taps<Sum>& taps) {
    return taps.row_in_pairs && mask.size <= largest_strip_mask<Bytes, Sum>;
}

/// Convolves a tile whose source rows, with the halo, are `rows`. Whole vectors go to the output,
/// or as whole cache lines by way of `lines`; the rest of the tile's rows by way of `lines`
/// afterwards.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void convolve_strips(const std::uint8_t* const* rows, const Taps<Sum>& taps,
                                          const ToPixels<Sum>& to_pixels, int size,
                                          common::ImageView<std::uint8_t> out, const Tile& tile,
                                          std::uint8_t (*lines)[pitch]) {
    const Output output(out);
    const int height = tile.bottom - tile.top;
    const auto width = static_cast<int>(tile.end - tile.begin);
    const int count = whole_steps(width + output.overhang(tile.end));
    const int streamed = output.streams && output.aligned ? width / cache_line * cache_line : 0;
    const int direct = output.streams ? 0 : width / Bytes * Bytes;
    std::uint8_t* const corner = out.row(tile.top) + tile.begin;
    with_size(size, [&]<int N>() ALWAYS_INLINE {
        if constexpr (N <= largest_strip_mask<Bytes, Sum>) {
            for (int i = 0; i < count; i += Bytes) {
                const int line = i / cache_line * cache_line;
                const bool ends_line = i + Bytes == line + cache_line && line < streamed;
                std::uint8_t* const to = i < direct ? corner + i : lines[0] + i;
                const std::ptrdiff_t to_pitch = i < direct ? out.pitch : pitch;
                sum_strip<Bytes, N>(
                    rows, i, out.channels, taps, height,
                    [&](int r, auto& low, auto& high) ALWAYS_INLINE {
                        to_pixels.template store<Bytes>(low, high, to + r * to_pitch);
                        if (!ends_line) return;
                        stream_line<Bytes>(corner + r * out.pitch + line, lines[r] + line);
                    });
            }
        }
    });
    const int done = streamed + direct;
    for (int r = 0; r < height; ++r) {
        store_row<Bytes>(output, out.row(tile.top + r), lines[r] + done, tile.begin + done,
                         tile.end);
    }
}

}  // namespace convolution
