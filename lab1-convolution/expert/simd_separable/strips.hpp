#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "common/view.hpp"
#include "pixels.hpp"
#include "problem/sizes.hpp"
#include "sums.hpp"
#include "tiling.hpp"

// Small separable masks: strips of a tile, each a vector wide and walked from top to bottom with
// the sums of the last N rows in registers. Nothing is stored between the two passes. Rows are read
// where they are; only at the ends of a row, a strip reads copies with zeros outside the image.
// With each row of a strip goes a prefetch for the next tile and, where the output does not fit the
// caches, a non-temporal store, so that memory is read and written while the strip is computed.
// An output that does fit has taller tiles, and the last strip of a row overlaps the one before.

namespace convolution {

inline constexpr int ahead = 256;  // bytes: the strips that a tile with direct stores prefetches
/// Rows of such a tile, at most.
template <int Bytes>
inline constexpr int strip_height = Bytes == 64 ? 32 : 64;

/// Rows of a strip that contains an end of the image's rows: copies, with zeros outside the image.
struct EdgeRows {
    static constexpr int width = 128;
    static constexpr int most = 64 + 4;

    alignas(64) std::uint8_t bytes[most][width];
    std::uint8_t zeros[pitch + 64] = {};  ///< a row above or below the image
};

/// The bytes that a strip reads of a row: its vector, and up to 8 on both sides.
template <int Bytes>
inline constexpr int span = Bytes + 16;

/// Bytes from `edge_masks + 128` on are ones, from `+ 256` on and before them zeros.
inline constexpr auto edge_masks = [] {
    std::array<std::uint8_t, 3 * EdgeRows::width> masks{};
    for (std::size_t i = 0; i < EdgeRows::width; ++i) masks[EdgeRows::width + i] = 255;
    return masks;
}();

/// Copies `count` rows from row `top` on, from byte `begin` on, with zeros outside the image. Loads
/// may touch the rows before and after, but nothing outside the image.
template <int Bytes>
ALWAYS_INLINE inline void copy_edges(ImageView<const std::uint8_t> in, int top, int count,
                                     std::ptrdiff_t begin, EdgeRows& rows) {
    constexpr std::ptrdiff_t width = span<Bytes>;
    const std::ptrdiff_t before = std::clamp<std::ptrdiff_t>(-begin, 0, width);
    const std::ptrdiff_t inside = std::clamp<std::ptrdiff_t>(in.row_length() - begin, 0, width);
    const std::uint8_t* const left = edge_masks.data() + EdgeRows::width - before;
    const std::uint8_t* const right = edge_masks.data() + 2 * EdgeRows::width - inside;
    const std::ptrdiff_t end = (in.height - 1) * in.pitch + in.row_length();  // of the image
    Vector<std::uint8_t, Bytes> first_mask, masked;
    Bytes16 last_mask, last_masked;
    load(first_mask, left);
    load(masked, right);
    first_mask &= masked;
    load(last_mask, left + Bytes);
    load(last_masked, right + Bytes);
    last_mask &= last_masked;
    for (int r = 0; r < count; ++r) {
        const std::ptrdiff_t from = (top + r) * in.pitch + begin;
        if (from < 0 || from + width > end) {
            copy_row(in, top + r, begin, begin + width, rows.bytes[r]);
            continue;
        }
        load(masked, in.data + from);
        load(last_masked, in.data + from + Bytes);
        masked &= first_mask;
        last_masked &= last_mask;
        std::memcpy(rows.bytes[r], &masked, sizeof masked);
        std::memcpy(rows.bytes[r] + Bytes, &last_masked, sizeof last_masked);
    }
}

/// The weights of the column. Additions suffice for 1 1 1, 1 2 1 and 1 4 6 4 1.
enum class Column { any, ones, binomial };

/// The weighted sums of a row of N pixels each, in the order of `interleave`, with weights in
/// pairs. The last weight is 1 unless the column is any.
template <int Bytes, int N, Column Kind>
ALWAYS_INLINE inline void sum_row(const std::uint8_t* pixels, int stride,
                                  const Taps<std::uint16_t>& taps,
                                  Vector<std::uint16_t, Bytes>& low,
                                  Vector<std::uint16_t, Bytes>& high) {
    low = high = Vector<std::uint16_t, Bytes>{};
    constexpr int at_once = multiplies_pairs<Bytes> ? 2 : 1;
#pragma GCC unroll 5
    for (int j = 0; j < N; j += at_once) {
        Vector<std::uint8_t, Bytes> even, odd = {};
        Vector<std::uint16_t, Bytes> low_pairs, high_pairs;
        load(even, pixels + j * stride);
        if (at_once == 2 && j + 1 < N) load(odd, pixels + (j + 1) * stride);
        keep_in_register(even);
        keep_in_register(odd);
        interleave(even, odd, low_pairs, high_pairs);
        if (Kind != Column::any && (j + 1 == N || (at_once == 1 && j == 0))) {
            low += low_pairs;
            high += high_pairs;
        } else if constexpr (at_once == 1) {
            low += taps.row[j] * low_pairs;
            high += taps.row[j] * high_pairs;
        } else {
            add_products(low, low_pairs, taps.row_pairs[j / 2]);
            add_products(high, high_pairs, taps.row_pairs[j / 2]);
        }
    }
}

/// `count` rows of a strip, with prefetches so many bytes ahead. `use(r, low, high)` gets the sums
/// in the order of `interleave`.
template <int Bytes, int N, Column Kind, class Rows, class Use>
requires(Kind == Column::any) ALWAYS_INLINE
    inline void sum_strip(const Rows& from, int stride, const Taps<std::uint16_t>& taps, int count,
                          int prefetched, Use use) {
    Vector<std::uint16_t, Bytes> low[N], high[N];  // row r is in place r % N
#pragma GCC unroll 4
    for (int s = 0; s < N - 1; ++s) {
        sum_row<Bytes, N, Kind>(from.rows[s] + from.offset, stride, taps, low[s], high[s]);
    }
    for (int first = 0;; first += N) {
#pragma GCC unroll 5
        for (int k = 0; k < N; ++k) {
            if (first + k == count) return;
            const int last = (k + N - 1) % N;
            const std::uint8_t* row = from.rows[first + k + N - 1] + from.offset;
            sum_row<Bytes, N, Kind>(row, stride, taps, low[last], high[last]);
            __builtin_prefetch(row + prefetched);
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

/// The same with the column 1 1 1 or 1 2 1: two additions of vectors per row. 1 2 1 is the sum of
/// two sums of two rows.
template <int Bytes, int N, Column Kind, class Rows, class Use>
requires(Kind != Column::any && N == 3) ALWAYS_INLINE
    inline void sum_strip(const Rows& from, int stride, const Taps<std::uint16_t>& taps, int count,
                          int prefetched, Use use) {
    using Words = Vector<std::uint16_t, Bytes>;
    Words low, high, low_pair, high_pair;  // the last row, and its sum with the one before
    sum_row<Bytes, N, Kind>(from.rows[0] + from.offset, stride, taps, low_pair, high_pair);
    sum_row<Bytes, N, Kind>(from.rows[1] + from.offset, stride, taps, low, high);
    low_pair += low;
    high_pair += high;
    for (int r = 0; r < count; ++r) {
        Words next_low, next_high;
        const std::uint8_t* row = from.rows[r + 2] + from.offset;
        sum_row<Bytes, N, Kind>(row, stride, taps, next_low, next_high);
        __builtin_prefetch(row + prefetched);
        const Words next_low_pair = low + next_low;
        const Words next_high_pair = high + next_high;
        low = next_low;
        high = next_high;
        next_low = low_pair + (Kind == Column::binomial ? next_low_pair : low);
        next_high = high_pair + (Kind == Column::binomial ? next_high_pair : high);
        low_pair = next_low_pair;
        high_pair = next_high_pair;
        use(r, next_low, next_high);
    }
}

/// The same with the column 1 4 6 4 1: four additions, of two rows, of two such sums, and so on.
template <int Bytes, int N, Column Kind, class Rows, class Use>
requires(Kind == Column::binomial && N == 5) ALWAYS_INLINE
    inline void sum_strip(const Rows& from, int stride, const Taps<std::uint16_t>& taps, int count,
                          int prefetched, Use use) {
    using Words = Vector<std::uint16_t, Bytes>;
    Words last_low[N - 1] = {}, last_high[N - 1] = {};  // the last row, and its sums
    const auto add_to_last = [](Words& sum, Words(&last)[N - 1]) ALWAYS_INLINE {
#pragma GCC unroll 4
        for (Words& each : last) {
            const Words next = sum + each;
            each = sum;
            sum = next;
        }
    };
    Words low, high;
    for (int s = 0; s < N - 1; ++s) {
        sum_row<Bytes, N, Kind>(from.rows[s] + from.offset, stride, taps, low, high);
        add_to_last(low, last_low);
        add_to_last(high, last_high);
    }
    for (int r = 0; r < count; ++r) {
        const std::uint8_t* row = from.rows[r + N - 1] + from.offset;
        sum_row<Bytes, N, Kind>(row, stride, taps, low, high);
        __builtin_prefetch(row + prefetched);
        add_to_last(low, last_low);
        add_to_last(high, last_high);
        use(r, low, high);
    }
}

/// The kind of the column of a mask whose row begins and ends with a weight of 1, and whose sums
/// become pixels by a multiplication.
inline Column kind_of(const Taps<std::uint16_t>& taps, const ToPixels<std::uint16_t>& to_pixels,
                      int size) {
    if (taps.row[0] != 1 || taps.row[size - 1] != 1 || !to_pixels.only_scales()) return Column::any;
    const auto is = [&](std::initializer_list<std::uint16_t> weights) {
        return std::equal(weights.begin(), weights.end(), taps.column, taps.column + size);
    };
    if (is({1, 1, 1})) return Column::ones;
    return is({1, 2, 1}) || is({1, 4, 6, 4, 1}) ? Column::binomial : Column::any;
}

template <int Bytes>
ALWAYS_INLINE inline bool suits_strips(const Decomposition& mask, const Taps<std::uint16_t>& taps,
                                       const ToPixels<std::uint16_t>& to_pixels) {
    // With larger masks, the registers do not suffice.
    constexpr int largest = multiplies_pairs<Bytes> ? 5 : 3;
    return taps.row_in_pairs && mask.size > 1 && mask.size <= largest &&
           (multiplies_pairs<Bytes> || kind_of(taps, to_pixels, mask.size) != Column::any);
}

/// Calls `function` with the mask's size and the kind of its column as template arguments.
template <int Bytes, class Function>
ALWAYS_INLINE inline void with_kind(const Taps<std::uint16_t>& taps, int size,
                                    const ToPixels<std::uint16_t>& to_pixels, Function function) {
    switch (kind_of(taps, to_pixels, size)) {
        case Column::ones:
            return function.template operator()<3, Column::ones>();
        case Column::binomial:
            if (size == 3) return function.template operator()<3, Column::binomial>();
            if constexpr (multiplies_pairs<Bytes>) {
                function.template operator()<5, Column::binomial>();
            }
            return;
        case Column::any:
            if constexpr (multiplies_pairs<Bytes>) {
                size == 3 ? function.template operator()<3, Column::any>()
                          : function.template operator()<5, Column::any>();
            }
    }
}

template <int Bytes, Column Kind>
ALWAYS_INLINE inline void store(const ToPixels<std::uint16_t>& to_pixels,
                                Vector<std::uint16_t, Bytes>& low,
                                Vector<std::uint16_t, Bytes>& high, std::uint8_t* pixels) {
    if constexpr (Kind == Column::any) {
        to_pixels.template store<Bytes>(low, high, pixels);
    } else {
        to_pixels.template store_scaled<Bytes>(low, high, pixels);
    }
}

/// True if strips are stored in the output directly. The last one of a row begins in the one
/// before.
template <int Bytes>
ALWAYS_INLINE inline bool stored_directly(Output out) {
    return !out.streams && out.row_length() >= Bytes;
}

/// The source of a tile's strips.
template <int Bytes>
class StripSource {
  public:
    /// Rows of a strip: the i-th begins at rows[i] + offset.
    struct Rows {
        const std::uint8_t* const* rows;
        int offset;
    };

    ALWAYS_INLINE StripSource(ImageView<const std::uint8_t> in, int size, const Tile& tile,
                              EdgeRows& edges)
        : in_(in),
          edges_(edges),
          top_(tile.top - size / 2),
          begin_(tile.begin - size / 2 * in.channels),
          count_(tile.bottom - tile.top + size - 1) {
        for (int r = 0; r < count_; ++r) {
            const bool inside = top_ + r >= 0 && top_ + r < in.height;
            whole_[r] = inside ? in.row(top_ + r) + begin_ : edges.zeros;
            ends_[r] = edges.bytes[r];
        }
    }

    /// Returns the rows of the strip at byte `i` of the tile.
    ALWAYS_INLINE Rows at(int i) {
        const std::ptrdiff_t begin = begin_ + i;
        if (begin >= 0 && begin + span<Bytes> <= in_.row_length()) return {whole_, i};
        copy_edges<Bytes>(in_, top_, count_, begin, edges_);
        return {ends_, 0};
    }

  private:
    ImageView<const std::uint8_t> in_;
    EdgeRows& edges_;
    int top_;
    std::ptrdiff_t begin_;
    int count_;
    const std::uint8_t* whole_[EdgeRows::most];
    const std::uint8_t* ends_[EdgeRows::most];
};

/// Convolves a tile into an output of which `stored_directly` is true.
template <int Bytes>
ALWAYS_INLINE inline void convolve_directly(ImageView<const std::uint8_t> in, Output out,
                                            const Taps<std::uint16_t>& taps,
                                            const ToPixels<std::uint16_t>& to_pixels, int size,
                                            const Tile& tile, EdgeRows& edges) {
    const auto width = static_cast<int>(tile.end - tile.begin);
    StripSource<Bytes> source(in, size, tile, edges);
    const ToPixels<std::uint16_t> scale = to_pixels;  // a copy: stores may alias the argument
    with_kind<Bytes>(taps, size, scale, [&]<int N, Column Kind>() ALWAYS_INLINE {
        for (int next = 0; next < width; next += Bytes) {
            const int i = std::min(next, width - Bytes);
            std::uint8_t* to = out.row(tile.top) + tile.begin + i;
            sum_strip<Bytes, N, Kind>(source.at(i), in.channels, taps, tile.bottom - tile.top,
                                      ahead, [&](int, auto& low, auto& high) ALWAYS_INLINE {
                                          store<Bytes, Kind>(scale, low, high, to);
                                          __builtin_prefetch(to + 2 * cache_line, 1);
                                          to += out.pitch;
                                      });
        }
    });
}

/// Convolves a tile by way of `lines`, from which whole cache lines are streamed, if the output's
/// rows are aligned to them; the rest of the tile's rows afterwards.
template <int Bytes>
ALWAYS_INLINE inline void convolve_strips(ImageView<const std::uint8_t> in, Output out,
                                          const Taps<std::uint16_t>& taps,
                                          const ToPixels<std::uint16_t>& to_pixels, int size,
                                          const Tile& tile, EdgeRows& edges,
                                          std::uint8_t (*lines)[pitch]) {
    const int height = tile.bottom - tile.top;
    const auto width = static_cast<int>(tile.end - tile.begin);
    const int count = whole_steps(width + out.overhang(tile.end));
    const int streamed = out.streams && out.aligned ? width / cache_line * cache_line : 0;
    std::uint8_t* const corner = out.row(tile.top) + tile.begin;
    StripSource<Bytes> source(in, size, tile, edges);
    with_kind<Bytes>(taps, size, to_pixels, [&]<int N, Column Kind>() ALWAYS_INLINE {
        for (int i = 0; i < count; i += Bytes) {
            const int line = i / cache_line * cache_line;
            const bool ends_line = i + Bytes == line + cache_line && line < streamed;
            sum_strip<Bytes, N, Kind>(source.at(i), in.channels, taps, height, tile_width,
                                      [&](int r, auto& low, auto& high) ALWAYS_INLINE {
                                          store<Bytes, Kind>(to_pixels, low, high, lines[r] + i);
                                          if (!ends_line) return;
                                          stream_line<Bytes>(corner + r * out.pitch + line,
                                                             lines[r] + line);
                                      });
        }
    });
    for (int r = 0; r < height; ++r) {
        store_row<Bytes>(out, out.row(tile.top + r), lines[r] + streamed, tile.begin + streamed,
                         tile.end);
    }
}

}  // namespace convolution
