#pragma once

// One to four rows of a strip, scanned together with the SIMD instructions of the machine.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "common/view.hpp"
#include "problem/options.hpp"
#include "streaming_store.hpp"

namespace integral {

using common::ImageView;
using common::InstructionSet;

/// Rows of a strip: pixels, and their sums.
template <class Sum>
struct Rows {
    const Pixel* pixels;
    std::ptrdiff_t pixels_pitch;
    Sum* sums;
    std::ptrdiff_t sums_pitch;
    int width;
};

/// Scans columns [begin, end). `columns` holds the column sums above the rows, `carry` the last sum
/// of each row so far; both are updated.
template <int Height, class Sum>
ALWAYS_INLINE inline void scan_columns(const Rows<Sum>& rows, int begin, int end, Sum* columns,
                                       Sum* carry) {
    Sum along[Height];  // a copy, since the stores may alias `carry`
    std::copy_n(carry, Height, along);
    for (int x = begin; x < end; ++x) {
        Sum column = columns[x];
        for (int y = 0; y < Height; ++y) {
            column += rows.pixels[y * rows.pixels_pitch + x];
            along[y] += column;
            rows.sums[y * rows.sums_pitch + x] = along[y];
        }
        columns[x] = column;
    }
    std::copy_n(along, Height, carry);
}

/// Inclusive scan over the lanes of a vector: every lane adds the lane `Distance` to its left; then
/// again with twice the distance (Hillis and Steele).
template <int Distance, class Lanes, int... I>
ALWAYS_INLINE inline void scan_lanes(Lanes& lanes, std::integer_sequence<int, I...> all) {
    constexpr int count = sizeof...(I);
    if constexpr (Distance < count) {
        lanes += __builtin_shufflevector(Lanes{}, lanes, count + I - Distance...);
        scan_lanes<2 * Distance>(lanes, all);
    }
}

template <class Lanes, int... I>
ALWAYS_INLINE inline void broadcast_last_lane(Lanes& to, const Lanes& lanes,
                                              std::integer_sequence<int, I...>) {
    constexpr int count = sizeof...(I);
    to = __builtin_shufflevector(lanes, lanes, (I - I + count - 1)...);
}

/// The kind of stores of the sums: through the caches; non-temporal to aligned rows; non-temporal
/// to rows of any alignment; into a buffer in the L1 cache, see stream_rows.
enum class Stores { cached, streamed, shifted, buffered };

/// As scan_columns for all columns, with vectors of `Bytes`.
template <int Bytes, Stores How, int Height, class Sum>
ALWAYS_INLINE inline void scan_rows(const Rows<Sum>& all_rows, Sum* columns, Sum* carry) {
    const Rows<Sum> rows = all_rows;  // a copy, as above
    constexpr int lanes = Bytes / static_cast<int>(sizeof(Sum));
    using Sums = common::Vector<Sum, Bytes>;
    constexpr std::make_integer_sequence<int, lanes> all;
    constexpr bool shifted = How == Stores::shifted;
    if (shifted && rows.width < lanes) {
        return scan_rows<Bytes, Stores::cached, Height>(rows, columns, carry);
    }
    const auto sums_at = [&](int x, int y) { return rows.sums + y * rows.sums_pitch + x; };

    int x = 0;
    Sums before[Height];
    ShiftedStream<Sum, Bytes> streams[Height];
    std::fill_n(before, Height, Sums{});
    for (int y = 0; y < Height; ++y) before[y] += carry[y];
    for (; x + lanes <= rows.width; x += lanes) {
        Sums column;
        std::memcpy(&column, columns + x, sizeof column);
#pragma GCC unroll 4
        for (int y = 0; y < Height; ++y) {
            Sums terms;
            common::load_values(terms, rows.pixels + y * rows.pixels_pitch + x);
            column += terms;
            Sums scanned = column;
            scan_lanes<1>(scanned, all);
            const Sums sums = before[y] + scanned;
            broadcast_last_lane(before[y], sums, all);
            if constexpr (shifted) {
                x == 0 ? streams[y].begin(sums_at(x, y), sums)
                       : streams[y].push(sums_at(x, y), sums);
            } else if constexpr (How == Stores::streamed) {
                common::stream(sums_at(x, y), sums);
            } else {
                std::memcpy(sums_at(x, y), &sums, sizeof sums);
                if constexpr (How == Stores::cached) {
                    __builtin_prefetch(sums_at(x, y + Height), 1);  // the sums of the next rows
                }
            }
        }
        std::memcpy(columns + x, &column, sizeof column);
    }
    for (int y = 0; y < Height; ++y) {
        carry[y] = before[y][0];
        if constexpr (shifted) streams[y].end(sums_at(x, y));
    }
    if constexpr (Bytes > 16) {
        const Rows<Sum> rest{rows.pixels + x, rows.pixels_pitch, rows.sums + x, rows.sums_pitch,
                             rows.width - x};
        scan_rows<Bytes / 2, Stores::cached, Height>(rest, columns + x, carry);
    } else {
        scan_columns<Height>(rows, x, rows.width, columns, carry);
    }
}

/// Scans the rows piece by piece into a buffer in the L1 cache and streams each row from there. So
/// non-temporal stores go to one row at a time and fill whole cache lines, although a vector does
/// not, whatever the alignment of the rows and the distance between them.
template <int Bytes, int Height, class Sum>
ALWAYS_INLINE inline void stream_rows(const Rows<Sum>& rows, Sum* columns, Sum* carry) {
    LineBuffer<Height, Sum> buffer;
    for (int x = 0; x < rows.width; x += buffer.piece) {
        const int count = std::min(buffer.piece, rows.width - x);
        const Rows<Sum> part{rows.pixels + x, rows.pixels_pitch, buffer.piece_begin(), buffer.pitch,
                             count};
        scan_rows<Bytes, Stores::buffered, Height>(part, columns + x, carry);
        for (int y = 0; y < Height; ++y) {
            Sum* const row = rows.sums + y * rows.sums_pitch;
            buffer.template take<Bytes>(y, row, x, count);
            if (x + count == rows.width) buffer.finish(y, row, x, count);
        }
    }
}

/// Adds all rows to `columns`.
template <class Sum>
ALWAYS_INLINE inline void add_up_columns(ImageView<const Pixel> in, Sum* columns) {
    constexpr int at_once = 8;
    for (int y = 0, count = 0; y < in.height; y += count) {
        count = y + at_once <= in.height ? at_once : 1;
        const Pixel* const row = in.row(y);
        if (count == 1) {
#pragma omp simd
            for (int x = 0; x < in.width; ++x) columns[x] += row[x];
            continue;
        }
#pragma omp simd
        for (int x = 0; x < in.width; ++x) {
            Sum sum = columns[x];
#pragma GCC unroll 8
            for (int k = 0; k < at_once; ++k) sum += row[k * in.pitch + x];
            columns[x] = sum;
        }
    }
}

#if defined(__x86_64__)
template <class Sum>
[[gnu::target("arch=x86-64-v4")]] static void add_up_columns_avx512(ImageView<const Pixel> in,
                                                                    Sum* columns) {
    add_up_columns(in, columns);
}

template <class Sum>
[[gnu::target("arch=x86-64-v3")]] static void add_up_columns_avx2(ImageView<const Pixel> in,
                                                                  Sum* columns) {
    add_up_columns(in, columns);
}

template <Stores How, int Height, class Sum>
[[gnu::target("arch=x86-64-v4")]] static void scan_rows_avx512(const Rows<Sum>& rows, Sum* columns,
                                                               Sum* carry) {
    scan_rows<64, How, Height>(rows, columns, carry);
}

template <Stores How, int Height, class Sum>
[[gnu::target("arch=x86-64-v3")]] static void scan_rows_avx2(const Rows<Sum>& rows, Sum* columns,
                                                             Sum* carry) {
    if constexpr (How == Stores::buffered) {
        stream_rows<32, Height>(rows, columns, carry);
    } else {
        scan_rows<32, How, Height>(rows, columns, carry);
    }
}
#endif

template <class Sum>
using ScanRows = void(const Rows<Sum>& rows, Sum* columns, Sum* carry);

template <class Sum>
using AddUpColumns = void(ImageView<const Pixel> in, Sum* columns);

template <class Sum>
static AddUpColumns<Sum>* version_of_add_up_columns([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512) return add_up_columns_avx512<Sum>;
    if (set >= InstructionSet::avx2) return add_up_columns_avx2<Sum>;
#endif
    return add_up_columns<Sum>;
}

/// True if all rows are aligned to `bytes`. Then strips are too: they begin with a cache line.
template <class Sum>
static bool aligned_to(std::size_t bytes, ImageView<Sum> sums) {
    const auto row_bytes = static_cast<std::size_t>(sums.pitch) * sizeof(Sum);
    return (reinterpret_cast<std::uintptr_t>(sums.data) | row_bytes) % bytes == 0;
}

/// Dispatch by instruction set and kind of store. A vector of AVX-512 is a cache line, and two of
/// them are shuffled by variable indices in one instruction: it streams to rows of any alignment
/// from registers. Other vectors go through a buffer.
template <int Height, class Sum>
static ScanRows<Sum>* dispatch([[maybe_unused]] ImageView<Sum> sums,
                               [[maybe_unused]] bool streaming,
                               [[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512) {
        if (!streaming) return scan_rows_avx512<Stores::cached, Height, Sum>;
        return aligned_to(64, sums) ? scan_rows_avx512<Stores::streamed, Height, Sum>
                                    : scan_rows_avx512<Stores::shifted, Height, Sum>;
    }
    if (set >= InstructionSet::avx2) {
        return streaming ? scan_rows_avx2<Stores::buffered, Height, Sum>
                         : scan_rows_avx2<Stores::cached, Height, Sum>;
    }
    if (streaming) return stream_rows<16, Height, Sum>;
#endif
    return scan_rows<16, Stores::cached, Height, Sum>;
}

}  // namespace integral
