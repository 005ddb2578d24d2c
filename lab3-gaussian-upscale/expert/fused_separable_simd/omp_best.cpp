// omp_dispatch computes whole rows and all taps. This variant adds five ideas to it:
// - Tiles of 512 columns: the sums of both phases in y stay in the L1 cache.
// - Outer taps whose weights are too small to change a result are left out (taps.hpp).
// - Sums of integers, exact and twice as many in a vector, where all weights are quarters: those of
//   bilinear resampling.
// - Sums become bytes by instructions that saturate, and the pixels of the two phases in x are
//   interleaved by byte permutes (interleave.hpp).
// - The output is four times the input and is not read. If it is too large for the caches, it
//   leaves by non-temporal stores.
//
// As before, the vertical pass blends a source row with the rows above and below, for both phases
// in y; the horizontal pass resamples the sums, for both phases in x. Phases mirror each other, so
// one load of a tap serves two sums: 2 (2r+1) + 4 (2r+1) multiply-adds for four outputs.
//
// Bound by multiply-adds and loads: neighbours are 12 bytes apart, so most loads of the horizontal
// pass cross a cache line.

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

#include "common/caches.hpp"
#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "common/view.hpp"
#include "expert/parts/taps.hpp"
#include "interleave.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;
using common::InstructionSet;
using common::Vector;

static constexpr int tile_width = 512;                    // source pixels
static constexpr int tile_height = 32;                    // source rows
static constexpr int step = 64;                           // values: a multiple of each vector's
static constexpr std::ptrdiff_t worth_threads = 1 << 13;  // source values
static constexpr int parts_of_l3 = 24;                    // one of which may hold an output
static constexpr int max_values = 3 * (tile_width + 2 * Weights::max_radius) + step;

/// Intermediate values of one row of a tile, with room for last vectors that are not full.
struct Buffers {
    std::uint8_t rows[2 * Weights::max_radius + 1][step];  ///< of the source, if they are short
    alignas(64) float floats[2][max_values];  ///< sums for both phases in y, with halos
    alignas(64) std::uint16_t words[2][max_values];
    alignas(64) std::uint8_t resampled[2][max_values + step];  ///< for both phases in x
    alignas(64) std::uint8_t line[2 * max_values + 4 * step];  ///< both phases interleaved
};

// Sums are floats or, with weights of `in_quarters`, 16-bit integers: first of quarters, then of
// sixteenths.
template <class Sum>
inline constexpr bool integers = std::is_same_v<Sum, std::uint16_t>;
template <class Sum>
inline constexpr float unit = integers<Sum> ? 4 : 1;

/// The sums of a row for one phase in y.
template <class Sum>
Sum* sums_of(Buffers& buffers, int phase) {
    if constexpr (integers<Sum>) {
        return buffers.words[phase];
    } else {
        return buffers.floats[phase];
    }
}

/// Calls `loop` with the radius as a template argument, so that the compiler unrolls the taps.
template <class Sum, class Loop>
ALWAYS_INLINE inline void with_taps(const Taps& taps, Loop loop) {
    if constexpr (integers<Sum>) return loop.template operator()<1, false>();
    const bool last = taps.last_counts;
    switch (taps.radius) {
        case 1:
            return last ? loop.template operator()<1, true>()
                        : loop.template operator()<1, false>();
        case 2:
            return last ? loop.template operator()<2, true>()
                        : loop.template operator()<2, false>();
        case 3:
            return loop.template operator()<3, true>();
        case 4:
            return last ? loop.template operator()<4, true>()
                        : loop.template operator()<4, false>();
        case 5:
            return loop.template operator()<5, true>();
        case 6:
            return loop.template operator()<6, true>();
        default:
            return loop.template operator()<7, true>();
    }
}

/// The weights in units of the sums.
template <class Sum, std::size_t Count>
ALWAYS_INLINE inline void copy_weights(const Taps& taps, Sum (&weights)[Count]) {
    for (std::size_t k = 0; k < Count; ++k) {
        weights[k] = static_cast<Sum>(unit<Sum> * taps.weights[k]);
    }
}

/// Blends `count` values of the rows y - radius … y + radius, for both phases in y. There are
/// enough for a vector; the last one may contain values of the one before it.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void vertical_pass(const std::uint8_t* const* rows, const Taps& taps,
                                        int count, Sum* even, Sum* odd) {
    using Sums = Vector<Sum, Bytes>;
    constexpr int lanes = common::lanes<Bytes, Sum>;
    with_taps<Sum>(taps, [=]<int Radius, bool Last>() ALWAYS_INLINE {
        const std::uint8_t* from[2 * Radius + 1];
        Sum weights[2 * Radius + 1];
        std::copy_n(rows, 2 * Radius + 1, from);
        copy_weights(taps, weights);
        for (int next = 0; next < count; next += lanes) {
            const int i = std::min(next, count - lanes);
            Sums e = {};
            Sums o = {};
#pragma GCC unroll 15
            for (int k = 0; k <= 2 * Radius; ++k) {
                Sums value;
                common::load_values(value, from[k] + i);
                if (Last || k < 2 * Radius) e += weights[k] * value;
                if (Last || k > 0) o += weights[2 * Radius - k] * value;
            }
            std::memcpy(even + i, &e, sizeof e);
            std::memcpy(odd + i, &o, sizeof o);
        }
    });
}

/// Resamples `count` sums, for both phases in x: `left` is even, `right` is odd. `in` begins with a
/// halo, and horizontal neighbours are `stride` values apart. Works on whole vectors of bytes.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void horizontal_pass(const Sum* in, int stride, const Taps& taps, int count,
                                          std::uint8_t* left, std::uint8_t* right) {
    using Sums = Vector<Sum, Bytes>;
    using Integers = Vector<std::conditional_t<integers<Sum>, Sum, std::int32_t>, Bytes>;
    constexpr auto half = static_cast<Sum>(unit<Sum> * unit<Sum> / 2);  // to round to nearest
    with_taps<Sum>(taps, [=]<int Radius, bool Last>() ALWAYS_INLINE {
        Sum weights[2 * Radius + 1];
        copy_weights(taps, weights);
        for (int i = 0; i < count; i += Bytes) {
            Integers even[sizeof(Sum)], odd[sizeof(Sum)];
#pragma GCC unroll 4
            for (int v = 0; v < int{sizeof(Sum)}; ++v) {
                Sums e = Sums{} + half;
                Sums o = Sums{} + half;
#pragma GCC unroll 15
                for (int k = 0; k <= 2 * Radius; ++k) {
                    Sums value;
                    common::load(value, in + i + v * common::lanes<Bytes, Sum> + k * stride);
                    if (Last || k < 2 * Radius) e += weights[k] * value;
                    if (Last || k > 0) o += weights[2 * Radius - k] * value;
                }
                if constexpr (integers<Sum>) {
                    even[v] = e >> 4;
                    odd[v] = o >> 4;
                } else {
                    even[v] = __builtin_convertvector(e, Integers);
                    odd[v] = __builtin_convertvector(o, Integers);
                }
            }
            common::store_clamped(even, left + i);
            common::store_clamped(odd, right + i);
        }
    });
}

/// Interleaves the pixels of `left` and `right`: may write beyond the last.
template <int Bytes>
ALWAYS_INLINE inline void interleave(const std::uint8_t* left, const std::uint8_t* right,
                                     int channels, int pixels, std::uint8_t* line) {
    if (channels == 3) return interleave_colours(VectorOf<Bytes>{}, left, right, pixels, line);
#pragma omp simd
    for (int x = 0; x < pixels; ++x) {
        line[2 * x] = left[x];
        line[2 * x + 1] = right[x];
    }
}

/// Copies; if `streamed`, by non-temporal stores, which neither read the target first nor keep it
/// in the caches. They have to cover whole cache lines: a line that both kinds of stores write
/// costs more.
template <int Bytes>
ALWAYS_INLINE inline void store(bool streamed, std::uint8_t* to, const std::uint8_t* from,
                                std::size_t count) {
    if (!streamed) {
        std::memcpy(to, from, count);
        return;
    }
    constexpr std::size_t line = 64;
    const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % line;
    std::size_t done = std::min(count, (line - misaligned) % line);
    std::memcpy(to, from, done);
    for (; done + line <= count; done += line) common::stream_line<Bytes>(to + done, from + done);
    std::memcpy(to + done, from + done, count - done);
}

/// Resamples columns [begin, end) of source row y.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void upscale_row(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                                      const Taps& taps, int y, int begin, int end, bool streamed,
                                      Buffers& buffers) {
    const int channels = in.channels;
    const int radius = taps.radius;
    const int first = std::max(begin - radius, 0);  // inside the image
    const int last = std::min(end + radius, in.width);
    const std::uint8_t* rows[2 * Weights::max_radius + 1];
    for (int k = -radius; k <= radius; ++k) {
        rows[radius + k] = in.row(std::clamp(y + k, 0, in.height - 1)) +
                           static_cast<std::ptrdiff_t>(first) * channels;
    }
    // The hardware prefetcher does not follow a tile from row to row.
    const std::uint8_t* next = in.row(std::min(y + radius + 2, in.height - 1));
    for (int i = first * channels; i < last * channels; i += 64) __builtin_prefetch(next + i);
    const int lead = (first - (begin - radius)) * channels;
    const int count_in = (last - first) * channels;
    const int needed = (end - begin + 2 * radius) * channels;
    if (count_in < step) {
        for (int k = 0; k <= 2 * radius; ++k) {
            std::copy_n(rows[k], count_in, buffers.rows[k]);
            rows[k] = buffers.rows[k];
        }
    }
    vertical_pass<Bytes>(rows, taps, std::max(count_in, step), sums_of<Sum>(buffers, 0) + lead,
                         sums_of<Sum>(buffers, 1) + lead);
    for (int phase = 0; phase < 2; ++phase) {
        Sum* const sums = sums_of<Sum>(buffers, phase);
        for (int i = lead - 1; i >= 0; --i) sums[i] = sums[i + channels];  // border
        for (int i = lead + count_in; i < needed; ++i) sums[i] = sums[i - channels];
        const int count = (end - begin) * channels;
        horizontal_pass<Bytes>(sums, channels, taps, count, buffers.resampled[0],
                               buffers.resampled[1]);
        interleave<Bytes>(buffers.resampled[0], buffers.resampled[1], channels, end - begin,
                          buffers.line);
        store<Bytes>(streamed,
                     out.row(2 * y + phase) + static_cast<std::ptrdiff_t>(2 * begin) * channels,
                     buffers.line, 2 * static_cast<std::size_t>(count));
    }
}

/// Resamples source rows [top, bottom), tile after tile.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void upscale_tiles(ImageView<const std::uint8_t> in,
                                        ImageView<std::uint8_t> out, const Taps& taps, int top,
                                        int bottom, bool streamed, Buffers& buffers) {
    for (int first = top; first < bottom; first += tile_height) {
        const int last = std::min(first + tile_height, bottom);
        for (int begin = 0; begin < in.width; begin += tile_width) {
            const int end = std::min(begin + tile_width, in.width);
            for (int y = first; y < last; ++y)
                upscale_row<Bytes, Sum>(in, out, taps, y, begin, end, streamed, buffers);
        }
    }
}

/// The same, by the sums that suit the weights.
template <int Bytes>
ALWAYS_INLINE inline void upscale_by_sums(ImageView<const std::uint8_t> in,
                                          ImageView<std::uint8_t> out, const Taps& taps, int top,
                                          int bottom, bool streamed, Buffers& buffers) {
    if (taps.in_quarters) {
        upscale_tiles<Bytes, std::uint16_t>(in, out, taps, top, bottom, streamed, buffers);
    } else {
        upscale_tiles<Bytes, float>(in, out, taps, top, bottom, streamed, buffers);
    }
}

using UpscaleRows = void(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                         const Taps& taps, int top, int bottom, bool streamed, Buffers& buffers);

static void upscale_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                         const Taps& taps, int top, int bottom, bool streamed, Buffers& buffers) {
    upscale_by_sums<16>(in, out, taps, top, bottom, streamed, buffers);
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] static void upscale_rows_avx2(ImageView<const std::uint8_t> in,
                                                                ImageView<std::uint8_t> out,
                                                                const Taps& taps, int top,
                                                                int bottom, bool streamed,
                                                                Buffers& buffers) {
    upscale_by_sums<32>(in, out, taps, top, bottom, streamed, buffers);
}

[[gnu::target("arch=x86-64-v4")]] static void upscale_rows_avx512(ImageView<const std::uint8_t> in,
                                                                  ImageView<std::uint8_t> out,
                                                                  const Taps& taps, int top,
                                                                  int bottom, bool streamed,
                                                                  Buffers& buffers) {
    upscale_by_sums<64>(in, out, taps, top, bottom, streamed, buffers);
}
#endif

static UpscaleRows* version_for([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512) return upscale_rows_avx512;
    if (set >= InstructionSet::avx2) return upscale_rows_avx2;
#endif
    return upscale_rows;
}

void omp_best(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Taps taps = taps_that_count(options.weights);
    UpscaleRows* const upscale =
        version_for(common::best_instruction_set(options.limits.instruction_set));
    const bool streamed =
        common::exceeds_caches(out.height * out.row_length(), options.limits, parts_of_l3);
    const bool alone = in.height * in.row_length() < worth_threads;
    const int threads = alone ? 1 : options.threads;
    const auto edge = [&](int t) {
        return static_cast<int>(std::int64_t{in.height} * t / threads);
    };
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; ++t) {
        // On the heap: a stack may be too small. Uninitialized: clearing would slow small images.
        const auto buffers = std::make_unique_for_overwrite<Buffers>();
        upscale(in, out, taps, edge(t), edge(t + 1), streamed, *buffers);
        common::fence_streams();
    }
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "both passes and all phases fused per tile, in SIMD loops"},
    omp_best,
    Traits{.operations = separable_operations}};

}  // namespace upscale
