#pragma once

#include <cstdint>

#include "ladder/parts/block_table.cuh"
#include "ladder/parts/vectors.cuh"

// Shared memory as one row per level, first of counts, then of values. Each lane counts and looks
// up in a bank of its own, so no image causes a bank conflict. A row of 64 words is 256 bytes: the
// address of a word is the offset of the lane with the pixel as second byte, one byte permutation.

namespace equalize {

/// Counts per row: one per lane of even warps and of odd warps. GPUs with less shared memory
/// (compute capability 7.5) have rows of 32, which all warps share.
constexpr int most_counts = 2 * warp;
constexpr int fewest_counts = warp;

template <int Counts>
static constexpr int row_quads = Counts / 4;
template <int Counts>
static constexpr int rows_bytes = levels* row_quads<Counts> * sizeof(uint4);
static_assert(rows_bytes<fewest_counts> + sizeof(BlockTable) <= 48 << 10);  // every GPU has that

/// Shared memory in which threads keep their first vectors, so that they read them once.
struct Kept {
    uint4* memory;
    int vectors;  ///< per thread

    __device__ bool has(const Vector& here) const { return here.index < vectors; }
    __device__ uint4& at(const Vector& here) const {
        return memory[here.index * threads_in_block() + thread_in_block()];
    }
};

/// The offset of word `word` of a row, as word_for() needs it.
template <int Counts>
static __device__ unsigned column_of(int word) {
    return word * (4 * most_counts / Counts);
}

/// The word in `column` of the row of byte `i` of `pixels`. Shorter rows halve the offset.
template <int Counts>
static __device__ Count& word_for(uint4* rows, unsigned pixels, int i, unsigned column) {
    const unsigned offset =
        __byte_perm(pixels, column, 0x5504U + 0x10U * i) / (most_counts / Counts);
    return *reinterpret_cast<Count*>(reinterpret_cast<std::uint8_t*>(rows) + offset);
}

template <int Counts>
static __device__ void clear_rows(uint4* rows) {
    for (int i = thread_in_block(); i < levels * row_quads<Counts>; i += threads_in_block()) {
        rows[i] = uint4{0, 0, 0, 0};
    }
}

template <int Counts>
static __device__ void count_vectors(common::DeviceView<const std::uint8_t> in, uint4* rows,
                                     Kept kept) {
    const unsigned column = column_of<Counts>(thread_in_block() % Counts);
    const auto count = [=](const uint4& pixels, auto has) {
        const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
#pragma unroll
        for (int i = 0; i < vector_pixels; ++i) {
            if (has(i)) atomicAdd(&word_for<Counts>(rows, words[i / 4], i % 4, column), Count{1});
        }
    };
    for_each_vector(
        in.width, in.height, [=](const Vector& here) { return load(in, here); },
        [=](const Vector& here, const uint4& pixels) {
            if (kept.has(here)) kept.at(here) = pixels;
            if (here.full()) {
                count(pixels, [](int) { return true; });
            } else {
                count(pixels, [&](int i) { return i < here.pixels; });
            }
        });
}

/// Reduces a row: this block's count of a level.
template <int Counts>
static __device__ Count sum_of_row(const uint4* rows, int level) {
    constexpr int quads = row_quads<Counts>;
    Count sum = 0;
    for (int i = 0; i < quads; ++i) {  // neighbouring threads start in different banks
        const uint4 four = rows[level * quads + (i + level) % quads];
        sum += four.x + four.y + four.z + four.w;
    }
    return sum;
}

/// Fills the rows with a table, one value per lane.
template <int Counts>
static __device__ void fill_rows(const std::uint8_t* table, uint4* rows) {
    constexpr int quads = warp / 4;
    for (int i = thread_in_block(); i < levels * quads; i += threads_in_block()) {
        const unsigned value = table[i / quads];
        rows[i / quads * row_quads<Counts> + i % quads] = uint4{value, value, value, value};
    }
}

/// Makes the table, and fills the rows with it. `count` is the image's count of the level of this
/// thread.
template <int Counts>
static __device__ void make_rows(Count count, Count pixels, uint4* rows) {
    __shared__ BlockTable table;
    make_block_table(count, pixels, table);
    fill_rows<Counts>(table.values, rows);
    __syncthreads();
}

template <int Counts>
static __device__ void look_up_vectors(common::DeviceView<const std::uint8_t> in,
                                       common::DeviceView<std::uint8_t> out, uint4* rows,
                                       Kept kept) {
    const unsigned column = column_of<Counts>(thread_in_block() % warp);
    const auto look_up_four = [=](unsigned pixels) {
        const auto value = [=](int i) { return word_for<Counts>(rows, pixels, i, column); };
        const unsigned first = __byte_perm(value(0), value(1), 0x0040);
        const unsigned second = __byte_perm(value(2), value(3), 0x0040);
        return __byte_perm(first, second, 0x5410);
    };
    for_each_vector(
        in.width, in.height,
        [=](const Vector& here) { return kept.has(here) ? kept.at(here) : load(in, here); },
        [=](const Vector& here, const uint4& pixels) {
            const uint4 values{look_up_four(pixels.x), look_up_four(pixels.y),
                               look_up_four(pixels.z), look_up_four(pixels.w)};
            std::uint8_t* to = out.row(here.y) + here.x;
            if (here.full()) {
                // Streaming store: the input stays in the L2 cache until it is read again.
                __stcs(reinterpret_cast<uint4*>(to), values);
            } else {
                store_first(to, values, here.pixels);
            }
        });
}

}  // namespace equalize
