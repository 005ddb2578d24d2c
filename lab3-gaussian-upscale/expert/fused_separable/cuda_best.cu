// cuda_shared_rows is bound by instructions, for all 2r+1 taps, conversions and addresses. Here,
// too, a block owns 768 bytes of the source rows and slides down a segment of the image. It takes
// six rows at a time: in the horizontal pass each warp resamples one row, from bytes in global
// memory to floats in shared memory. In the vertical pass each thread owns eight output columns and
// keeps a sliding window of rows in registers (register blocking); each new row yields two output
// rows.
//
// Three ideas halve the instructions:
// - Outer taps whose weights are too small to change a result are left out (taps.hpp).
// - Summation by parts: the weights sum to 1, so n taps become n - 1 multiply-adds on differences
//   of neighbours, which the two mirrored phases share (difference_weights.cuh).
// - A constant added to all source values passes through unchanged, so a byte is inserted into the
//   mantissa of a float, and cut out of one again, instead of being converted (row_bytes.cuh).
//
// Bound by instruction issue and by the barrier between the passes, with memory just below: 498 MB
// from 7680x4320 to 15360x8640 in colour. Small images have a kernel of their own
// (small_image.cuh).

#include <algorithm>
#include <string>

#include "common/cuda.cuh"
#include "expert/parts/taps.hpp"
#include "output_rows.cuh"
#include "problem/variant.hpp"
#include "row_bytes.cuh"
#include "small_image.cuh"

namespace upscale {

static constexpr int warp = 32;
static constexpr int lane_bytes = 24;           // of a source row, for a lane: whole pixels
static constexpr int tile = warp * lane_bytes;  // of a source row, for a block
static constexpr int threads = 2 * tile / columns;
static constexpr int step = threads / warp;  // source rows at a time
static constexpr int chunk = 4;              // floats in one access
static constexpr int row_chunks = 2 * tile / chunk;

/// The index at which a chunk of a resampled row is stored. The XOR prevents bank conflicts both
/// for the lanes that write every twelfth chunk and for those that read every second one. Chunks
/// only move within an aligned four: if `first` begins one, or half of one, the i-th chunk from
/// there lies at swizzled(first) ^ i.
static __device__ int swizzled(int first) {
    return first ^ ((first >> 3) & 3);
}

/// Resamples a lane's bytes of a source row, for both phases in x.
template <int Channels, int Taps>
static __device__ void horizontal_pass(const RowBytes<Channels, Taps / 2, lane_bytes>& bytes,
                                       const DifferenceWeights<Taps>& even, int lane, float4* row) {
#pragma unroll
    for (int i = 0; i < 2 * lane_bytes / chunk; ++i) {
        float resampled[chunk];
#pragma unroll
        for (int j = 0; j < chunk; ++j) {
            resampled[j] = resampled_value<Taps>(bytes, even, chunk * i + j);
        }
        row[swizzled(2 * lane_bytes / chunk * lane + i / 4 * 4) ^ (i % 4)] =
            make_float4(resampled[0], resampled[1], resampled[2], resampled[3]);
    }
}

/// A thread's columns of a resampled row.
static __device__ void load_columns(const float4* row, int thread, float (&values)[columns]) {
#pragma unroll
    for (int i = 0; i < columns / chunk; ++i) {
        const float4 four = row[swizzled(columns / chunk * thread) ^ i];
        values[chunk * i] = four.x;
        values[chunk * i + 1] = four.y;
        values[chunk * i + 2] = four.z;
        values[chunk * i + 3] = four.w;
    }
}

/// Slides a thread's window down the resampled rows; the first one yields output rows Y and Y + 1.
/// If not all output is `Inside` the target, a loop that is not unrolled skips the rest.
template <int Taps, bool Clamp, bool Inside>
static __device__ void vertical_pass(const float4 (&resampled)[step][row_chunks], int thread,
                                     SlidingWindow<Taps>& window, const Filters<Taps>& filters,
                                     const Target& target, int Y) {
    std::uint8_t* to = target.column + Y * target.pitch;
#pragma unroll(Inside ? step : 1)
    for (int i = 0; i < step; ++i, Y += 2, to += 2 * target.pitch) {
        float below[columns];
        load_columns(resampled[i], thread, below);
        window.complete(below);
        if (Inside || target.has(Y) || target.has(Y + 1)) {
            float sums[columns];
            window.blend(filters.upper, sums);
            const uint2 upper = pack_columns<Clamp>(sums);
            window.blend(filters.lower, sums);
            const uint2 lower = pack_columns<Clamp>(sums);
            if (Inside) {
                store(to, upper);
                store(to + target.pitch, lower);
            } else {
                store_inside(target, Y, to, upper);
                store_inside(target, Y + 1, to + target.pitch, lower);
            }
        }
        window.keep(below);
    }
}

/// The segments of the image's rows, in the order in which blocks take them, measured in window
/// positions. Adjacent segments both resample a halo of `taps` - 1 rows, so long segments save
/// work; but long segments at the end cause load imbalance. So the last ones are half as long, then
/// a quarter.
struct Segments {
    int longs = 0, halves = 0, quarters = 0;
    int long_windows = 0, half_windows = 0, quarter_windows = 0;

    __device__ int first_window(int segment) const {
        const int before_halves = segment - longs;
        const int before_quarters = before_halves - halves;
        if (before_quarters >= 0) {
            return longs * long_windows + halves * half_windows + before_quarters * quarter_windows;
        }
        if (before_halves >= 0) return longs * long_windows + before_halves * half_windows;
        return segment * long_windows;
    }

    __device__ int windows(int segment) const {
        if (segment >= longs + halves) return quarter_windows;
        return segment >= longs ? half_windows : long_windows;
    }
};

/// Loads a lane's bytes, which begin at byte `first` of row y, with their halo.
template <class Row>
static __device__ void load_row(Row& bytes, DeviceView<const std::uint8_t> in, std::ptrdiff_t first,
                                int y) {
    const std::ptrdiff_t begin = first - Row::halo;
    const std::uint8_t* row = nearest_row(in, y);
    if (at_border<Row>(begin, in.row_length())) {
        load_clamped(bytes, row, begin, in.row_length());
        repeat_edges(bytes, row, begin, in.row_length());
    } else {
        load_inside(bytes, row + begin);
    }
}

/// Blocks whose registers have to fit into a multiprocessor; the sliding window needs most of them.
template <int Taps>
static constexpr int blocks_per_multiprocessor = Taps <= 5   ? 3
                                                 : Taps <= 9 ? 2
                                                             : 1;

template <int Channels, int Taps, bool Clamp>
static __global__ void __launch_bounds__(threads, blocks_per_multiprocessor<Taps>)
    upscale_segment(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
                    const Filters<Taps> filters, int tiles, Segments segments) {
    constexpr int radius = Taps / 2;
    constexpr bool centre_is_row = Taps % 2 == 1;
    __shared__ float4 resampled[step][row_chunks];

    const int thread = threadIdx.x;
    const int lane = thread % warp;
    const int block = blockIdx.x;
    const std::ptrdiff_t tile_begin = std::ptrdiff_t{block % tiles} * tile;
    const std::ptrdiff_t lane_begin = tile_begin + lane * lane_bytes;
    const std::ptrdiff_t column = 2 * tile_begin + thread * columns;
    const std::ptrdiff_t left = out.row_length() - column;

    const int first_window = segments.first_window(block / tiles);
    const int windows =
        min(segments.windows(block / tiles), out.height / 2 + !centre_is_row - first_window);
    const Target target = {out.data + column,
                           out.pitch,
                           max(2 * first_window - !centre_is_row, 0),
                           min(2 * (first_window + windows) - !centre_is_row, out.height),
                           left < columns ? static_cast<int>(left) : columns,
                           left >= columns};

    int y = first + first_window - radius + thread / warp;     // the next row of this warp
    int Y = 2 * (first_window - (Taps - 1)) - !centre_is_row;  // the next window gives Y and Y + 1
    RowBytes<Channels, radius, lane_bytes> bytes;
    load_row(bytes, in, lane_begin, y);
    SlidingWindow<Taps> window = {};
    for (; Y < target.end; Y += 2 * step) {
        horizontal_pass<Channels, Taps>(bytes, filters.even_column, lane, resampled[thread / warp]);
        __syncthreads();
        y += step;
        if (Y + 2 * step < target.end) load_row(bytes, in, lane_begin, y);
        if (target.whole && target.begin <= Y && Y + 2 * step <= target.end) {
            vertical_pass<Taps, Clamp, true>(resampled, thread, window, filters, target, Y);
        } else {
            vertical_pass<Taps, Clamp, false>(resampled, thread, window, filters, target, Y);
        }
        __syncthreads();
    }
}

/// Images that are not large have segments of one length, short enough to occupy all
/// multiprocessors of a large GPU.
static Segments segments_of(int taps, int all_windows, int tiles) {
    constexpr int enough_blocks = 800;
    constexpr double of_longs = 0.7;  // of the image; measured to be best
    constexpr double of_halves = 0.2;
    const auto windows = [=](int steps) { return steps * step - (taps - 1); };
    const auto enough = [=](int steps) {
        return all_windows / windows(steps) * tiles >= enough_blocks;
    };
    const int most = 4 * taps;
    int steps = most;
    while (windows(steps - 1) > 0 && !enough(steps)) --steps;

    Segments segments;
    segments.long_windows = windows(steps);
    if (steps < most) {
        segments.longs = (all_windows + segments.long_windows - 1) / segments.long_windows;
        return segments;
    }
    segments.half_windows = windows(steps / 2);
    segments.quarter_windows = windows(steps / 4);
    segments.longs = static_cast<int>(of_longs * all_windows) / segments.long_windows;
    segments.halves = static_cast<int>(of_halves * all_windows) / segments.half_windows;
    const int rest = all_windows - segments.longs * segments.long_windows -
                     segments.halves * segments.half_windows;
    segments.quarters = (rest + segments.quarter_windows - 1) / segments.quarter_windows;
    return segments;
}

template <int Channels, int Taps, bool Clamp>
static void launch(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
                   const float* weights, cudaStream_t stream) {
    if constexpr (Taps <= small_image::max_taps) {
        if (small_image::pays_off(in)) {
            return small_image::launch<Channels, Taps, Clamp>(in, first, out,
                                                              filters<Taps>(weights), stream);
        }
    }
    const int tiles = (in.row_length() + tile - 1) / tile;
    const int all_windows = out.height / 2 + (Taps % 2 == 0);
    const Segments segments = segments_of(Taps, all_windows, tiles);
    const int all_segments = segments.longs + segments.halves + segments.quarters;
    const dim3 grid(tiles * all_segments);
    upscale_segment<Channels, Taps, Clamp>
        <<<grid, threads, 0, stream>>>(in, first, out, filters<Taps>(weights), tiles, segments);
    common::check_launch();
}

template <int Channels>
static void launch_for(const Taps& taps, DeviceView<const std::uint8_t> in, int first,
                       DeviceView<std::uint8_t> out, cudaStream_t stream) {
    const int count = 2 * taps.radius + taps.last_counts;
    const bool clamp = *std::min_element(taps.weights, taps.weights + count) < 0;
    const auto with = [&]<int Taps, bool Clamp = true>() {
        launch<Channels, Taps, Clamp>(in, first, out, taps.weights, stream);
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

/// Some rows of an image: the first two rows of `out` belong to row `first` of `in`.
void cuda_best_rows(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    if (options.block) {
        throw common::Unsupported("cuda_best: blocks have " + std::to_string(threads) +
                                  " threads, or " + std::to_string(small_image::threads) +
                                  " for small images, to which its tiles are fitted; "
                                  "leave out --block");
    }
    const auto launch_with = in.channels == 1 ? launch_for<1> : launch_for<3>;
    launch_with(taps_that_count(options.weights), in, first, out, stream);
}

void cuda_best(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
               const Options& options, cudaStream_t stream) {
    cuda_best_rows(in, 0, out, options, stream);
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
     .idea = "both passes fused: rows in shared memory, a sliding window in registers"},
    cuda_best,
    Traits{.operations = operations}};

}  // namespace upscale
