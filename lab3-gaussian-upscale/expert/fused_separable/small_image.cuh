#pragma once

// For images so small that most of the time is waiting. A thread makes a piece of two output rows
// directly from the source: it loads all rows of the window at once, widens them in registers, and
// blends them. Neighbours widen the same rows again, as many times as there are taps; but nothing
// is exchanged, so there is no barrier, and only one wait for memory.

#include "common/cuda.cuh"
#include "output_rows.cuh"
#include "window.cuh"

namespace upscale::small_image {

constexpr int piece = 12;  // source bytes of a thread: whole pixels
constexpr int threads = 64;

template <int Channels, int Taps, bool Clamp>
static __global__ void __launch_bounds__(threads)
    upscale_piece(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Filters<Taps> filters) {
    constexpr int radius = Taps / 2;
    constexpr bool centre_is_row = Taps % 2 == 1;
    const std::ptrdiff_t first = (std::ptrdiff_t{blockIdx.x} * threads + threadIdx.x) * piece;
    if (first >= in.row_length()) return;
    const int centre = static_cast<int>(blockIdx.y);  // the row that the window lies around

    // Nothing is asked about what has been loaded before all loads are under way.
    using Bytes = Window<Channels, radius, piece>;
    Bytes rows[Taps];
    const std::ptrdiff_t begin = first - Bytes::halo;
    if (at_border<Bytes>(begin, in.row_length())) {
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
    for (int column = 0; column < 2 * piece; column += columns) {
        Ring<Taps> ring = {};
        float upper[columns];
        float lower[columns];
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
            float wide[columns];
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                wide[c] = wide_value<Taps>(rows[t], filters.even_column, column + c);
            }
            ring.complete(wide);
            if (t == Taps - 1) {
                ring.blend(filters.upper, upper);
                ring.blend(filters.lower, lower);
            }
            ring.keep(wide);
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

/// With more, too many rows would be widened again and again.
constexpr int max_taps = 5;

/// Up to a size between 1280x720 and 1920x1080 in colour, what is saved is more than what the rows
/// cost that are widened again.
static bool worth_it(DeviceView<const std::uint8_t> in) {
    constexpr std::ptrdiff_t most_bytes = 3 << 20;
    constexpr int most_windows = 65535;  // blocks in y
    return in.row_length() * in.height <= most_bytes && in.height < most_windows;
}

template <int Channels, int Taps, bool Clamp>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Filters<Taps>& filters, cudaStream_t stream) {
    const auto pieces = static_cast<unsigned>((in.row_length() + piece - 1) / piece);
    const auto windows = static_cast<unsigned>(in.height + (Taps % 2 == 0));
    const dim3 grid((pieces + threads - 1) / threads, windows);
    upscale_piece<Channels, Taps, Clamp><<<grid, threads, 0, stream>>>(in, out, filters);
    common::check_launch();
}

}  // namespace upscale::small_image
