// One pass that does what cuda_separable does in two. A block walks down a strip of the image, six
// rows at a time. First each warp widens one of the rows, from bytes in global memory to floats in
// shared memory. Then each thread takes eight columns of the wide rows and goes down: it keeps the
// last rows in registers, and each new one completes a window from which two output rows follow.
//
// Against cuda_separable: the wide image never leaves the multiprocessor, and a thread reads a wide
// value once for all windows that it is in. Outer taps whose weights are too small to count are
// left out. Weights sum to 1, so n taps take n - 1 multiply-adds on differences of neighbours,
// which the two mirrored phases share; and a constant that is added to all source bytes comes out
// unchanged, which saves conversions: a byte is put into the mantissa of a float and cut out of one
// again.
//
// From 7680x4320 to 15360x8640 in colour it moves 498 MB, which takes 0.12 ms at the 4.2 TB/s that
// an H200 copies with. The four taps of the default filter are 3.9 G float operations, 0.06 ms at
// 60 T/s. But the machine code has 37 instructions per source byte, of which 22 are those float
// operations and 7 take bytes apart and put them together; the rest load, store and address. These
// 3.7 G instructions take 0.11 ms in the 128 lanes of 132 multiprocessors at 1.98 GHz, and another
// quarter for rows that neighbours widen too. So it is bound by the rate at which instructions are
// issued, with memory just below.
//
// Comes to 74% of the rate of a copy (0.164 ms), 6.6 times that of NPP's cubic method.

#include <algorithm>
#include <numeric>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "options.hpp"
#include "taps.hpp"

namespace upscale {

using common::DeviceView;

static constexpr int warp = 32;
static constexpr int group = 24;           // bytes of a row that a lane widens: whole pixels
static constexpr int tile = warp * group;  // bytes of a row that a block widens
static constexpr int columns = 8;          // of the output that a thread makes: one store
static constexpr int threads = 2 * tile / columns;
static constexpr int step = threads / warp;  // rows that are widened at a time
static constexpr int chunk = 4;              // floats that are read or written at a time
static constexpr int wide_chunks = 2 * tile / chunk;

/// Added to every source value. Weights sum to 1, so it is in every sum as well, which then lies
/// between 1024 and 2048, where bits 13 to 20 of a float are those of a pixel's value: 256 leaves
/// room for sums that are too small, 0.5 rounds.
static constexpr float bias = 1024 + 256 + 0.5f;

/// A weighted mean of values v[0], v[1], … as v[base] plus weighted differences v[k + 1] - v[k]:
/// one multiply-add less, since the weights sum to 1.
template <int Taps>
struct Slopes {
    float values[Taps - 1];
};

template <int Taps>
static Slopes<Taps> slopes(const float (&weights)[Taps], int base) {
    Slopes<Taps> result;
    for (int k = 0; k < Taps - 1; ++k) {
        // What lies beyond the difference, seen from the base, moves by it.
        const double sum = k < base ? -std::accumulate(weights, weights + k + 1, 0.0)
                                    : std::accumulate(weights + k + 1, weights + Taps, 0.0);
        result.values[k] = static_cast<float>(sum);
    }
    return result;
}

/// A sum of few differences starts with the base. One of many is added to it in the end, since each
/// addition to a biased value is rounded to a multiple of 2^-13.
template <int Taps, class Difference>
static __device__ float weighted(float base, const Slopes<Taps>& slopes, Difference difference) {
    constexpr bool few = Taps <= 5;
    float sum = few ? base : 0;
#pragma unroll
    for (int k = 0; k < Taps - 1; ++k) sum += slopes.values[k] * difference(k);
    return few ? sum : base + sum;
}

/// The filter for output columns, and for both rows that a window of Taps source rows gives: those
/// next to its centre, above and below. The base of columns is their own pixel, that of rows is the
/// last but one of the window.
template <int Taps>
struct Filters {
    Slopes<Taps> even_column;  ///< the odd one mirrors it
    Slopes<Taps> upper;
    Slopes<Taps> lower;
};

template <int Taps>
static Filters<Taps> filters(const float* weights) {
    float even[Taps];
    float odd[Taps];
    std::copy_n(weights, Taps, even);
    std::reverse_copy(even, even + Taps, odd);
    const bool centre_is_row = Taps % 2 == 1;  // else it lies between an odd row and an even one
    return {slopes<Taps>(even, Taps / 2), slopes<Taps>(centre_is_row ? even : odd, Taps - 2),
            slopes<Taps>(centre_is_row ? odd : even, Taps - 2)};
}

/// The bytes that a lane needs in order to widen its group: a halo on both sides.
template <int Channels, int Radius>
struct Window {
    static constexpr int halo = (Channels * Radius + 7) / 8 * 8;
    static constexpr int bytes = halo + group + halo;
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
template <int Channels, int Radius>
static __device__ void load_at_border(Window<Channels, Radius>& window, const std::uint8_t* row,
                                      std::ptrdiff_t begin, std::ptrdiff_t row_length) {
    constexpr int words = Window<Channels, Radius>::bytes / 4;
    constexpr int whole_pixels = 8 * Channels;  // so that what is divided is not negative
    constexpr int first_place = whole_pixels - Window<Channels, Radius>::halo;
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

/// Loads the window around the group that begins at byte `first` of a row.
template <int Channels, int Radius>
static __device__ void load_window(Window<Channels, Radius>& window,
                                   DeviceView<const std::uint8_t> in, std::ptrdiff_t first, int y) {
    using Bytes = Window<Channels, Radius>;
    const std::uint8_t* row = in.row(min(max(y, 0), in.height - 1));
    const std::ptrdiff_t begin = first - Bytes::halo;
    if (begin < 0 || begin + Bytes::bytes > in.row_length()) {
        return load_at_border(window, row, begin, in.row_length());
    }
    const auto* from = reinterpret_cast<const uint2*>(row + begin);
#pragma unroll
    for (int i = 0; i < Bytes::bytes / 8; ++i) {
        const uint2 pair = __ldg(from + i);
        window.words[2 * i] = pair.x;
        window.words[2 * i + 1] = pair.y;
    }
}

/// Where a chunk of a wide row lies, so that neither the lanes that write every twelfth chunk nor
/// those that read every second one meet in a bank. Chunks only move within an aligned four: if
/// `first` begins one, or half of one, the i-th chunk from there lies at place(first) ^ i.
static __device__ int place(int first) {
    return first ^ ((first >> 3) & 3);
}

/// Widens a lane's group.
template <int Channels, int Taps>
static __device__ void widen(const Window<Channels, Taps / 2>& window, const Slopes<Taps>& even,
                             int lane, float4* row) {
    constexpr int radius = Taps / 2;
    constexpr int halo = Window<Channels, radius>::halo;
#pragma unroll
    for (int i = 0; i < 2 * group / chunk; ++i) {
        float wide[chunk];
#pragma unroll
        for (int j = 0; j < chunk; ++j) {
            const int column = chunk * i + j;
            const int base = halo + column / Channels / 2 * Channels + column % Channels;
            const bool is_even = column / Channels % 2 == 0;
            wide[j] = weighted(window.biased(base), even, [&](int k) {
                return is_even ? window.difference(base + (k - radius) * Channels)
                               : -window.difference(base - (k + 1 - radius) * Channels);
            });
        }
        row[place(2 * group / chunk * lane + i / 4 * 4) ^ (i % 4)] =
            make_float4(wide[0], wide[1], wide[2], wide[3]);
    }
}

/// Bits 8 to 23 of two biased sums, clamped to pixels if they may need that.
template <bool Clamp>
static __device__ unsigned pair(float low, float high) {
    const unsigned both = __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x6521);
    return Clamp ? __vminu2(__vmaxu2(both, 0xa000a000), 0xbfffbfff) : both;
}

/// Four biased sums as bytes.
template <bool Clamp>
static __device__ unsigned pack(const float* sums) {
    const unsigned first_and_third = pair<Clamp>(sums[0], sums[2]) >> 5;
    const unsigned second_and_fourth = pair<Clamp>(sums[1], sums[3]) << 3;
    return __byte_perm(first_and_third, second_and_fourth, 0x7250);
}

/// A thread's columns of an output row, of biased sums.
template <bool Clamp>
static __device__ uint2 pack_columns(const float (&sums)[columns]) {
    return {pack<Clamp>(sums), pack<Clamp>(sums + 4)};
}

/// Where a thread's columns go: rows begin … end of the output, `count` bytes of them.
struct Target {
    std::uint8_t* column;
    std::ptrdiff_t pitch;
    int begin;
    int end;
    int count;
    bool whole;  ///< has all of a thread's columns

    __device__ bool has(int Y) const { return begin <= Y && Y < end; }
};

/// Past the caches, as nobody reads it soon.
static __device__ void store(std::uint8_t* to, uint2 bytes) {
    __stcs(reinterpret_cast<uint2*>(to), bytes);
}

/// The same for a row, or columns, that may be outside the target.
static __device__ void store_inside(const Target& target, int Y, std::uint8_t* to, uint2 bytes) {
    if (!target.has(Y)) return;
    if (target.whole) return store(to, bytes);
#pragma unroll 1
    for (int i = 0; i < target.count; ++i) {
        const unsigned word = i < 4 ? bytes.x : bytes.y;
        to[i] = static_cast<std::uint8_t>(word >> (8 * (i % 4)));
    }
}

/// What a thread keeps of the rows above: differences of neighbours, and the last row itself.
template <int Taps>
struct Ring {
    float differences[Taps - 1][columns];
    float last[columns];

    /// Completes a window with the row below.
    __device__ void complete(const float (&below)[columns]) {
#pragma unroll
        for (int c = 0; c < columns; ++c) {
#pragma unroll
            for (int k = 0; k < Taps - 2; ++k) differences[k][c] = differences[k + 1][c];
            differences[Taps - 2][c] = below[c] - last[c];
        }
    }

    __device__ void keep(const float (&row)[columns]) {
#pragma unroll
        for (int c = 0; c < columns; ++c) last[c] = row[c];
    }

    /// An output row of the window.
    __device__ void blend(const Slopes<Taps>& slopes, float (&sums)[columns]) const {
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            sums[c] = weighted(last[c], slopes, [&](int k) { return differences[k][c]; });
        }
    }
};

/// Columns of a wide row.
static __device__ void read(const float4* row, int thread, float (&values)[columns]) {
#pragma unroll
    for (int i = 0; i < columns / chunk; ++i) {
        const float4 four = row[place(columns / chunk * thread) ^ i];
        values[chunk * i] = four.x;
        values[chunk * i + 1] = four.y;
        values[chunk * i + 2] = four.z;
        values[chunk * i + 3] = four.w;
    }
}

/// Goes down a thread's columns of the wide rows, each of which completes a window; the first one
/// gives output rows Y and Y + 1. If not all of them are `Inside` the target, a loop that is not
/// unrolled leaves out what is not needed.
template <int Taps, bool Clamp, bool Inside>
static __device__ void heighten(const float4 (&wide)[step][wide_chunks], int thread,
                                Ring<Taps>& ring, const Filters<Taps>& filters,
                                const Target& target, int Y) {
    std::uint8_t* to = target.column + Y * target.pitch;
#pragma unroll(Inside ? step : 1)
    for (int i = 0; i < step; ++i, Y += 2, to += 2 * target.pitch) {
        float below[columns];
        read(wide[i], thread, below);
        ring.complete(below);
        if (Inside || target.has(Y) || target.has(Y + 1)) {
            float sums[columns];
            ring.blend(filters.upper, sums);
            const uint2 upper = pack_columns<Clamp>(sums);
            ring.blend(filters.lower, sums);
            const uint2 lower = pack_columns<Clamp>(sums);
            if (Inside) {
                store(to, upper);
                store(to + target.pitch, lower);
            } else {
                store_inside(target, Y, to, upper);
                store_inside(target, Y + 1, to + target.pitch, lower);
            }
        }
        ring.keep(below);
    }
}

/// The strips of the image, in the order in which blocks take them. Long strips are better, because
/// neighbours widen `taps` - 1 rows both; but a multiprocessor that takes a long one last lets all
/// others wait. So the last ones are half as long, and a quarter.
struct Strips {
    int longs = 0, halves = 0, quarters = 0;
    int long_windows = 0, half_windows = 0, quarter_windows = 0;

    __device__ int first_window(int strip) const {
        const int before_halves = strip - longs;
        const int before_quarters = before_halves - halves;
        if (before_quarters >= 0) {
            return longs * long_windows + halves * half_windows + before_quarters * quarter_windows;
        }
        if (before_halves >= 0) return longs * long_windows + before_halves * half_windows;
        return strip * long_windows;
    }

    __device__ int windows(int strip) const {
        if (strip >= longs + halves) return quarter_windows;
        return strip >= longs ? half_windows : long_windows;
    }
};

/// How many blocks have to fit into a multiprocessor's 65536 registers; the ring takes its share.
template <int Taps>
static constexpr int blocks_at_a_time = Taps <= 5   ? 3
                                        : Taps <= 9 ? 2
                                                    : 1;

template <int Channels, int Taps, bool Clamp>
static __global__ void __launch_bounds__(threads, blocks_at_a_time<Taps>)
    upscale_strip(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Filters<Taps> filters, int tiles, Strips strips) {
    constexpr int radius = Taps / 2;
    constexpr bool centre_is_row = Taps % 2 == 1;
    __shared__ float4 wide[step][wide_chunks];

    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % warp;
    const int block = static_cast<int>(blockIdx.x);
    const std::ptrdiff_t tile_begin = static_cast<std::ptrdiff_t>(block % tiles) * tile;
    const std::ptrdiff_t group_begin = tile_begin + lane * group;
    const std::ptrdiff_t column = 2 * tile_begin + thread * columns;
    const std::ptrdiff_t left = out.row_length() - column;

    const int first_window = strips.first_window(block / tiles);
    const int windows =
        min(strips.windows(block / tiles), in.height + !centre_is_row - first_window);
    const Target target = {out.data + column,
                           out.pitch,
                           max(2 * first_window - !centre_is_row, 0),
                           min(2 * (first_window + windows) - !centre_is_row, out.height),
                           left < columns ? static_cast<int>(left) : columns,
                           left >= columns};

    int y = first_window - radius + thread / warp;             // this warp widens this row next
    int Y = 2 * (first_window - (Taps - 1)) - !centre_is_row;  // the next window gives Y and Y + 1
    Window<Channels, radius> window;
    load_window(window, in, group_begin, y);
    Ring<Taps> ring = {};
    for (; Y < target.end; Y += 2 * step) {
        widen<Channels, Taps>(window, filters.even_column, lane, wide[thread / warp]);
        __syncthreads();
        y += step;
        if (Y + 2 * step < target.end) load_window(window, in, group_begin, y);
        if (target.whole && target.begin <= Y && Y + 2 * step <= target.end) {
            heighten<Taps, Clamp, true>(wide, thread, ring, filters, target, Y);
        } else {
            heighten<Taps, Clamp, false>(wide, thread, ring, filters, target, Y);
        }
        __syncthreads();
    }
}

/// All strips of small images are of one length, so short that every multiprocessor of a large GPU
/// has some.
static Strips strips_of(int taps, int all_windows, int tiles) {
    constexpr int enough_blocks = 800;
    constexpr double of_longs = 0.7;  // so much of the image, as measured
    constexpr double of_halves = 0.2;
    const auto windows = [=](int steps) { return steps * step - (taps - 1); };
    const auto enough = [=](int steps) {
        return all_windows / windows(steps) * tiles >= enough_blocks;
    };
    const int most = 4 * taps;
    int steps = most;
    while (windows(steps - 1) > 0 && !enough(steps)) --steps;

    Strips strips;
    strips.long_windows = windows(steps);
    if (steps < most) {
        strips.longs = (all_windows + strips.long_windows - 1) / strips.long_windows;
        return strips;
    }
    strips.half_windows = windows(steps / 2);
    strips.quarter_windows = windows(steps / 4);
    strips.longs = static_cast<int>(of_longs * all_windows) / strips.long_windows;
    strips.halves = static_cast<int>(of_halves * all_windows) / strips.half_windows;
    const int rest =
        all_windows - strips.longs * strips.long_windows - strips.halves * strips.half_windows;
    strips.quarters = (rest + strips.quarter_windows - 1) / strips.quarter_windows;
    return strips;
}

template <int Channels, int Taps, bool Clamp>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const float* weights, cudaStream_t stream) {
    const int tiles = static_cast<int>((in.row_length() + tile - 1) / tile);
    const int all_windows = in.height + (Taps % 2 == 0);
    const Strips strips = strips_of(Taps, all_windows, tiles);
    const int all_strips = strips.longs + strips.halves + strips.quarters;
    const dim3 grid(static_cast<unsigned>(tiles) * static_cast<unsigned>(all_strips));
    upscale_strip<Channels, Taps, Clamp>
        <<<grid, threads, 0, stream>>>(in, out, filters<Taps>(weights), tiles, strips);
    common::check_launch();
}

template <int Channels>
static void launch_for(const Taps& taps, DeviceView<const std::uint8_t> in,
                       DeviceView<std::uint8_t> out, cudaStream_t stream) {
    const int count = 2 * taps.radius + taps.last_counts;
    const bool clamp = *std::min_element(taps.weights, taps.weights + count) < 0;
    const auto with = [&]<int Taps, bool Clamp = true>() {
        launch<Channels, Taps, Clamp>(in, out, taps.weights, stream);
    };
    switch (count) {
        case 2:
            return with.template operator()<2>();
        case 3:
            return with.template operator()<3>();
        case 4:
            return clamp ? with.template operator()<4>() : with.template operator()<4, false>();
        case 5:
            return clamp ? with.template operator()<5>() : with.template operator()<5, false>();
        case 6:
        case 7:
            return with.template operator()<7>();
        case 8:
            return with.template operator()<8>();
        case 9:
            return with.template operator()<9>();
        case 10:
        case 11:
            return with.template operator()<11>();
        case 12:
        case 13:
            return with.template operator()<13>();
        default:
            return with.template operator()<15>();
    }
}

void cuda_best(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
               const Options& options, cudaStream_t stream) {
    const auto launch_with = in.channels == 1 ? launch_for<1> : launch_for<3>;
    launch_with(taps_that_count(options.weights), in, out, stream);
}

}  // namespace upscale
