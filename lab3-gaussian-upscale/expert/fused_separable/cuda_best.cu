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
// Comes to 74% of the rate of a copy (0.164 ms), 6.6 times that of NPP's cubic method. Small images
// would have strips that are all beginning; they are cut into pieces (small_image.cuh).

#include <algorithm>
#include <string>

#include "common/cuda.cuh"
#include "output_rows.cuh"
#include "problem/taps.hpp"
#include "problem/variant.hpp"
#include "small_image.cuh"
#include "window.cuh"

namespace upscale {

static constexpr int warp = 32;
static constexpr int group = 24;           // bytes of a row that a lane widens: whole pixels
static constexpr int tile = warp * group;  // bytes of a row that a block widens
static constexpr int threads = 2 * tile / columns;
static constexpr int step = threads / warp;  // rows that are widened at a time
static constexpr int chunk = 4;              // floats that are read or written at a time
static constexpr int wide_chunks = 2 * tile / chunk;

/// Where a chunk of a wide row lies, so that neither the lanes that write every twelfth chunk nor
/// those that read every second one meet in a bank. Chunks only move within an aligned four: if
/// `first` begins one, or half of one, the i-th chunk from there lies at place(first) ^ i.
static __device__ int place(int first) {
    return first ^ ((first >> 3) & 3);
}

/// Widens a lane's group.
template <int Channels, int Taps>
static __device__ void widen(const Window<Channels, Taps / 2, group>& window,
                             const Slopes<Taps>& even, int lane, float4* row) {
#pragma unroll
    for (int i = 0; i < 2 * group / chunk; ++i) {
        float wide[chunk];
#pragma unroll
        for (int j = 0; j < chunk; ++j) {
            wide[j] = wide_value<Taps>(window, even, chunk * i + j);
        }
        row[place(2 * group / chunk * lane + i / 4 * 4) ^ (i % 4)] =
            make_float4(wide[0], wide[1], wide[2], wide[3]);
    }
}

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

/// Loads the window around the group that begins at byte `first` of row y.
template <class Bytes>
static __device__ void load_window(Bytes& window, DeviceView<const std::uint8_t> in,
                                   std::ptrdiff_t first, int y) {
    const std::ptrdiff_t begin = first - Bytes::halo;
    if (at_border<Bytes>(begin, in.row_length())) {
        load_at_border(window, nearest_row(in, y), begin, in.row_length());
    } else {
        load_inside(window, nearest_row(in, y) + begin);
    }
}

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
    Window<Channels, radius, group> window;
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

/// All strips of images that are not large are of one length, so short that every multiprocessor of
/// a large GPU has some.
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
    if constexpr (Taps <= small_image::max_taps) {
        if (small_image::worth_it(in)) {
            return small_image::launch<Channels, Taps, Clamp>(in, out, filters<Taps>(weights),
                                                              stream);
        }
    }
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
    if (options.block) {
        throw common::Unsupported("cuda_best: blocks have " + std::to_string(threads) +
                                  " threads, or " + std::to_string(small_image::threads) +
                                  " for small images, because tiles are made for them; "
                                  "leave out --block");
    }
    const auto launch_with = in.channels == 1 ? launch_for<1> : launch_for<3>;
    launch_with(taps_that_count(options.weights), in, out, stream);
}

/// A pair of outputs takes a difference per tap but one, and a multiply-add of it for each of the
/// two. The horizontal pass computes half as many values as the vertical one.
static double operations(int radius, int /*channels*/) {
    const double taps = 2.0 * radius + 1;
    const double half_a_pair = (1 + 2 * 2 * (taps - 1)) / 2;
    return half_a_pair * 1.5;
}

static const Register registered{
    {.name = "cuda_best",
     .backend = common::Backend::cuda,
     .idea = "one pass: rows widened into shared memory, columns from a ring in registers"},
    cuda_best,
    Traits{.operations = operations}};

}  // namespace upscale
