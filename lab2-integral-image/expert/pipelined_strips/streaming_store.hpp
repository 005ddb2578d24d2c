#pragma once

// Non-temporal stores, which bypass the caches: an ordinary store to a line that is not cached
// first reads the line that it overwrites.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/vectors.hpp"

namespace integral {

/// Streams a row whose address is not aligned: each aligned vector consists of the end of one
/// vector of sums and the beginning of the next. The lanes before the first and after the last
/// aligned address take ordinary stores, since a line that is stored partly in each way is read
/// from memory in between.
template <class Sum, int Bytes>
struct ShiftedStream {
    static constexpr int lanes = Bytes / static_cast<int>(sizeof(Sum));
    using Sums = common::Vector<Sum, Bytes>;

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
        Sums aligned;
        common::select_lanes(last, sums, indices, aligned);
        common::stream(to - pending, aligned);
        last = sums;
    }
    ALWAYS_INLINE void end(Sum* to) const { store(to - pending, lanes - pending, pending); }

    ALWAYS_INLINE void store(Sum* to, int first, int count) const {
        Sum values[lanes];
        std::memcpy(values, &last, sizeof values);
        for (int i = 0; i < count; ++i) to[i] = values[first + i];
    }
};

/// Pieces of several rows on their way to memory: a buffer in the L1 cache, from which each row is
/// streamed in whole cache lines. Lines at the ends of a row, which it may share with other data,
/// take ordinary stores: a line stored partly in each way is read from memory in between.
template <int Height, class Sum>
struct LineBuffer {
    static constexpr int line = 64 / static_cast<int>(sizeof(Sum));  // sums of a cache line
    static constexpr int piece = 512;                                // columns
    static constexpr int pitch = line + piece;

    alignas(64) Sum sums[Height * pitch];  // of each row: the end of the piece before, the piece
    int stored[Height] = {};               // columns of each row

    Sum* piece_begin() { return sums + line; }

    /// Streams the lines of row `y` that are complete with `count` columns from `begin` on.
    template <int Bytes>
    ALWAYS_INLINE void take(int y, Sum* row, int begin, int count) {
        constexpr int lanes = common::lanes<Bytes, Sum>;
        Sum* const piece_end = sums + y * pitch + line + count;
        const Sum* const from = piece_end - (begin + count);  // of column 0
        int x = stored[y];
        if (begin == 0) {
            const auto misaligned = reinterpret_cast<std::uintptr_t>(row) % 64 / sizeof(Sum);
            const int head = (line - static_cast<int>(misaligned)) % line;
            for (; x < std::min(head, count); ++x) row[x] = from[x];
        }
        for (; x + line <= begin + count; x += line) {
            for (int i = 0; i < line; i += lanes) {
                common::Vector<Sum, Bytes> vector;
                common::load(vector, from + x + i);
                common::stream(row + x + i, vector);
            }
        }
        stored[y] = x;
        if (count == piece) std::copy_n(sums + y * pitch + piece, line, sums + y * pitch);
    }

    /// Stores the rest of row `y`, whose last piece had `count` columns from `begin` on.
    void finish(int y, Sum* row, int begin, int count) {
        const Sum* const from = sums + y * pitch + line - begin;
        std::copy(from + stored[y], from + begin + count, row + stored[y]);
    }
};

}  // namespace integral
