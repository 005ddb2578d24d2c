#pragma once

// For images so small that latency dominates. A thread computes its part of two output rows
// directly from the source: it loads all rows of the window at once, resamples them in registers,
// and blends them. Each row is resampled as many times as there are taps; but threads exchange
// nothing, so there is no barrier, and the latency of memory counts once.

#include <cstdint>

#include "common/cuda.cuh"
#include "output_rows.cuh"
#include "row_bytes.cuh"

namespace upscale::small_image {

constexpr int thread_bytes = 12;  // of a source row: whole pixels
constexpr int threads = 64;

template <int Channels, int Taps, bool Clamp>
static __global__ void __launch_bounds__(threads)
    upscale_small(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Filters<Taps> filters) {
    constexpr int radius = Taps / 2;
    constexpr bool centre_is_row = Taps % 2 == 1;
    const std::ptrdiff_t first =
        (std::ptrdiff_t{blockIdx.x} * threads + threadIdx.x) * thread_bytes;
    if (first >= in.row_length()) return;
    const int centre = static_cast<int>(blockIdx.y);  // row of the window

    // All loads are issued before the first of them is used.
    using Row = RowBytes<Channels, radius, thread_bytes>;
    Row rows[Taps];
    const std::ptrdiff_t begin = first - Row::halo;
    if (at_border<Row>(begin, in.row_length())) {
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
            load_at_border(rows[t], nearest_row(in, centre - radius + t), begin, in.row_length());
        }
    } else {
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
            load_inside(rows[t], nearest_row(in, centre - radius + t) + begin);
        }
    }

    const int Y = 2 * centre - !centre_is_row;
#pragma unroll
    for (int column = 0; column < 2 * thread_bytes; column += columns) {
        SlidingWindow<Taps> window = {};
        float upper[columns];
        float lower[columns];
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
            float resampled[columns];
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                resampled[c] = resampled_value<Taps>(rows[t], filters.even_column, column + c);
            }
            window.complete(resampled);
            if (t == Taps - 1) {
                window.blend(filters.upper, upper);
                window.blend(filters.lower, lower);
            }
            window.keep(resampled);
        }
        const std::ptrdiff_t left = out.row_length() - (2 * first + column);
        if (left <= 0) return;
        const Target target = {out.data + 2 * first + column,
                               out.pitch,
                               0,
                               out.height,
                               left < columns ? static_cast<int>(left) : columns,
                               left >= columns};
        std::uint8_t* to = target.column + Y * out.pitch;
        store_inside(target, Y, to, pack_columns<Clamp>(upper));
        store_inside(target, Y + 1, to + out.pitch, pack_columns<Clamp>(lower));
    }
}

/// With more taps, resampling rows again costs more than the latency that it saves.
constexpr int max_taps = 5;

/// The break-even lies between 1280x720 and 1920x1080 in colour.
static bool pays_off(DeviceView<const std::uint8_t> in) {
    constexpr std::ptrdiff_t most_bytes = 3 << 20;
    constexpr int most_windows = 65535;  // blocks in y
    return in.row_length() * in.height <= most_bytes && in.height < most_windows;
}

template <int Channels, int Taps, bool Clamp>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Filters<Taps>& filters, cudaStream_t stream) {
    const auto parts = static_cast<unsigned>((in.row_length() + thread_bytes - 1) / thread_bytes);
    const auto windows = static_cast<unsigned>(in.height + (Taps % 2 == 0));
    const dim3 grid((parts + threads - 1) / threads, windows);
    upscale_small<Channels, Taps, Clamp><<<grid, threads, 0, stream>>>(in, out, filters);
    common::check_launch();
}

}  // namespace upscale::small_image
