#pragma once

// For images so small that latency dominates. A thread computes its part of two output rows
// directly from the source: it loads all rows of the window at once, blends them into two rows, and
// resamples those. Neighbours blend the columns of their common halo twice; but threads exchange
// nothing, so there is no barrier, and the latency of memory counts once.

#include <cstdint>
#include <limits>

#include "common/cuda.cuh"
#include "output_rows.cuh"
#include "row_bytes.cuh"

namespace upscale::small_image {

constexpr int thread_bytes = 12;  // of a source row: whole pixels
constexpr int threads = 64;

/// A row between the rows of the source, with its halo, as biased sums.
template <class Bytes>
struct BlendedRow {
    static constexpr int channels = Bytes::channels;
    static constexpr int halo = Bytes::halo;
    float values[Bytes::bytes];

    __device__ float biased(int i) const { return values[i]; }
    __device__ float difference(int i) const { return values[i + channels] - values[i]; }
};

/// Resamples a row and stores the columns of it that are inside the output.
template <int Taps, bool Clamp, class Row>
static __device__ void store_row(const Row& row, const DifferenceWeights<Taps>& even_column,
                                 DeviceView<std::uint8_t> out, int first, int Y) {
    std::uint8_t* to = out.row(Y) + first;
    const int row_length = out.row_length();
    const int left = row_length - first;
    uint2 bytes[2 * thread_bytes / columns];
#pragma unroll
    for (int column = 0; column < 2 * thread_bytes; column += columns) {
        float sums[columns];
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            sums[c] = resampled_value<Taps>(row, even_column, column + c);
        }
        bytes[column / columns] = pack_columns<Clamp>(sums);
    }
    if (left >= 2 * thread_bytes) {
#pragma unroll
        for (int i = 0; i < 2 * thread_bytes / columns; ++i) store(to + columns * i, bytes[i]);
    } else {
#pragma unroll
        for (int i = 0; i < 2 * thread_bytes / columns; ++i) {
            store_bytes(to + columns * i, bytes[i], left - columns * i);
        }
    }
}

/// A thread computes `thread_bytes` of a window's row; a row has `parts` of them. Threads are
/// numbered row by row.
template <int Channels, int Taps, bool Clamp>
static __global__ void __launch_bounds__(threads)
    upscale_small(DeviceView<const std::uint8_t> in, int first_row, DeviceView<std::uint8_t> out,
                  const Filters<Taps> filters, unsigned parts, unsigned windows) {
    constexpr int radius = Taps / 2;
    constexpr bool centre_is_row = Taps % 2 == 1;
    const unsigned part = blockIdx.x * threads + threadIdx.x;
    const unsigned window = part / parts;
    if (window >= windows) return;
    const int centre = window;
    const int top = first_row + centre - radius;
    const int part_of_row = part - window * parts;
    const int first = part_of_row * thread_bytes;

    // All loads are issued before the first of them is used, also by warps at the border. A load
    // beside the image takes the nearest word inside. Offsets fit in 32 bits (pays_off).
    using Row = RowBytes<Channels, radius, thread_bytes>;
    Row rows[Taps];
    const int begin = first - Row::halo;
    const int row_length = in.row_length();
    const int last_word = (row_length - 1) / 4 * 4;
    const unsigned pitch = in.pitch;
#pragma unroll
    for (int t = 0; t < Taps; ++t) {
        const int y = min(max(top + t, 0), in.height - 1);
        const unsigned row = y * pitch;
#pragma unroll
        for (int i = 0; i < Row::bytes / 4; ++i) {
            const unsigned column = min(max(begin + 4 * i, 0), last_word);
            rows[t].words[i] = *reinterpret_cast<const unsigned*>(in.data + (row + column));
        }
    }
    if (at_border<Row>(begin, in.row_length())) {
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
            repeat_edges(rows[t], nearest_row(in, top + t), begin, in.row_length());
        }
    }

    constexpr int margin = Channels * radius;  // of the halo, what the filter reaches
    BlendedRow<Row> upper;
    BlendedRow<Row> lower;
#pragma unroll
    for (int i = Row::halo - margin; i < Row::halo + thread_bytes + margin; ++i) {
        const auto difference = [&](int k) {
            return rows[k + 1].in_mantissa(i) - rows[k].in_mantissa(i);
        };
        const float base = rows[Taps - 2].biased(i);
        upper.values[i] = weighted(base, filters.upper, difference);
        lower.values[i] = weighted(base, filters.lower, difference);
    }

    const int Y = 2 * centre - !centre_is_row;
    if (centre_is_row || Y >= 0) {
        store_row<Taps, Clamp>(upper, filters.even_column, out, 2 * first, Y);
    }
    if (centre_is_row || Y + 1 < out.height) {
        store_row<Taps, Clamp>(lower, filters.even_column, out, 2 * first, Y + 1);
    }
}

/// With more taps, blending columns again costs more than the latency that it saves.
constexpr int max_taps = 5;

/// The break-even lies between 1280x720 and 1920x1080 in colour. Offsets have to fit 32 bits.
static bool pays_off(DeviceView<const std::uint8_t> in) {
    constexpr std::ptrdiff_t most_bytes = 3 << 20;
    return in.row_length() * in.height <= most_bytes &&
           in.pitch * in.height <= std::numeric_limits<std::uint32_t>::max();
}

/// Blocks go on in the next row where one ends, so that multiprocessors get equal work: at 480x270,
/// four blocks each.
template <int Channels, int Taps, bool Clamp>
static void launch(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
                   const Filters<Taps>& filters, cudaStream_t stream) {
    const unsigned parts = (in.row_length() + thread_bytes - 1) / thread_bytes;
    const unsigned windows = out.height / 2 + (Taps % 2 == 0);
    const unsigned blocks = (parts * windows + threads - 1) / threads;
    upscale_small<Channels, Taps, Clamp>
        <<<blocks, threads, 0, stream>>>(in, first, out, filters, parts, windows);
    common::check_launch();
}

}  // namespace upscale::small_image
