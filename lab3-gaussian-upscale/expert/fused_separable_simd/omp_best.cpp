// One pass over the image that does what cuda_separable does in two: a strip of a row is first
// blended with its neighbours above and below, for both phases in y, then the sums are widened, for
// both phases in x, and leave as pixels. What is in between stays in the L1 cache. Both steps are
// the same loop, and the phases mirror each other: a tap that is loaded for one serves the other.
//
// Against omp_rows: 2 (2r+1) + 4 (2r+1) multiply-adds for the four output values of a source value
// instead of 4 (2r+1)^2, on whole vectors, with the best instruction set that the machine has;
// taps whose weights are too small to count are left out, which for the default filter are the
// last ones. The output is four times the input, so it does not pass through the caches.
//
// Bound by arithmetic and the conversions around it.
//
// Comes to 15% of the rate of a copy by two threads (7680x4320, default filter, two CPU cores).

#include <algorithm>
#include <cstring>
#include <memory>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "problem/taps.hpp"
#include "problem/variant.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace upscale {

using common::ImageView;
using common::InstructionSet;

static constexpr int strip = 512;  // source pixels of a row that are worked on at a time
static constexpr int band = 32;    // rows of a strip that one thread does before the next strip
static constexpr int step = 64;    // values for which `widen` works at a time
static constexpr std::ptrdiff_t worth_threads = 1 << 13;  // source values: some microseconds
static constexpr int widest = 3 * (strip + 2 * Weights::max_radius) + step;

/// What is in between, for one strip of a row; with room for a last step that is not full.
struct Buffers {
    float blended[2][widest];       // of both phases in y, with a halo on both sides
    std::uint8_t sides[2][widest];  // of both phases in x
    std::uint8_t line[2 * widest];
};

/// Calls `loop` with the radius as a constant, so that the taps are unrolled.
template <class Loop>
ALWAYS_INLINE inline void with_taps(const Taps& taps, Loop loop) {
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

/// Blends `count` values of the rows y - radius … y + radius, for both phases in y.
ALWAYS_INLINE inline void blend(const std::uint8_t* const* rows, const Taps& taps, int count,
                                float* even, float* odd) {
    with_taps(taps, [=]<int Radius, bool Last>() ALWAYS_INLINE {
        const std::uint8_t* from[2 * Radius + 1];
        float weights[2 * Radius + 1];
        std::copy_n(rows, 2 * Radius + 1, from);
        std::copy_n(taps.weights, 2 * Radius + 1, weights);
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            float e = 0;
            float o = 0;
            for (int k = 0; k <= 2 * Radius; ++k) {
                const auto value = static_cast<float>(from[k][i]);
                if (Last || k < 2 * Radius) e += weights[k] * value;
                if (Last || k > 0) o += weights[2 * Radius - k] * value;
            }
            even[i] = e;
            odd[i] = o;
        }
    });
}

/// The output values to the left and to the right of `count` blended ones. `in` begins with a halo,
/// and horizontal neighbours are `stride` values apart. Works on whole steps.
ALWAYS_INLINE inline void widen(const float* in, int stride, const Taps& taps, int count,
                                std::uint8_t* left, std::uint8_t* right) {
    with_taps(taps, [=]<int Radius, bool Last>() ALWAYS_INLINE {
        float weights[2 * Radius + 1];
        std::copy_n(taps.weights, 2 * Radius + 1, weights);
        for (int first = 0; first < count; first += step) {
            const float* from[2 * Radius + 1];
            for (int k = 0; k <= 2 * Radius; ++k) from[k] = in + first + k * stride;
            int even[step];
            int odd[step];
#pragma omp simd
            for (int i = 0; i < step; ++i) {
                float e = 0.5f;  // to round to nearest
                float o = 0.5f;
                for (int k = 0; k <= 2 * Radius; ++k) {
                    const auto value = static_cast<float>(from[k][i]);
                    if (Last || k < 2 * Radius) e += weights[k] * value;
                    if (Last || k > 0) o += weights[2 * Radius - k] * value;
                }
                even[i] = std::clamp(static_cast<int>(e), 0, 255);
                odd[i] = std::clamp(static_cast<int>(o), 0, 255);
            }
#pragma omp simd
            for (int i = 0; i < step; ++i) left[first + i] = static_cast<std::uint8_t>(even[i]);
#pragma omp simd
            for (int i = 0; i < step; ++i) right[first + i] = static_cast<std::uint8_t>(odd[i]);
        }
    });
}

using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;

ALWAYS_INLINE inline Bytes16 load(const std::uint8_t* from) {
    Bytes16 bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

/// Puts pixels of `left` and `right` by turns into `line`; eight pairs at a time, so it may write
/// beyond the last.
ALWAYS_INLINE inline void take_turns(const std::uint8_t* left, const std::uint8_t* right,
                                     int channels, int pixels, std::uint8_t* line) {
    if (channels == 1) {
#pragma omp simd
        for (int x = 0; x < pixels; ++x) {
            line[2 * x] = left[x];
            line[2 * x + 1] = right[x];
        }
        return;
    }
    // Bytes 0, 16 and 32 of the 48 that eight pairs make; 16 and more mean the right one.
    constexpr Bytes16 turns[3] = {{0, 1, 2, 16, 17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22},
                                  {17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22, 23, 24, 9, 10},
                                  {9, 23, 24, 25, 10, 11, 12, 26, 27, 28, 13, 14, 15, 29, 30, 31}};
    constexpr int begin[3] = {0, 6, 8};  // of the 16 bytes that each of them is taken from
    for (int x = 0; x < pixels; x += 8) {
        for (int third = 0; third < 3; ++third) {
            const Bytes16 both =
                __builtin_shuffle(load(left + 3 * x + begin[third]),
                                  load(right + 3 * x + begin[third]), turns[third]);
            std::memcpy(line + 6 * x + 16 * third, &both, sizeof both);
        }
    }
}

/// Copies to memory without reading it first and without keeping it in the caches. That is only for
/// whole cache lines: one that is written partly like this and partly as usual costs both ways.
static void stream(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
    std::size_t done = 0;
#if defined(__SSE2__)
    constexpr std::size_t line = 64;
    const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % line;
    done = std::min(count, (line - misaligned) % line);
    std::memcpy(to, from, done);
    for (; done + line <= count; done += line) {
        for (std::size_t i = done; i < done + line; i += 16) {
            __m128i bytes;
            std::memcpy(&bytes, from + i, sizeof bytes);
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), bytes);
        }
    }
#endif
    std::memcpy(to + done, from + done, count - done);
}

/// Row y of the input, columns [begin, end): two rows of the output.
ALWAYS_INLINE inline void upscale_strip(ImageView<const std::uint8_t> in,
                                        ImageView<std::uint8_t> out, const Taps& taps, int y,
                                        int begin, int end, Buffers& buffers) {
    const int channels = in.channels;
    const int radius = taps.radius;
    const int first = std::max(begin - radius, 0);  // of the columns that exist
    const int last = std::min(end + radius, in.width);
    const std::uint8_t* rows[2 * Weights::max_radius + 1];
    for (int k = -radius; k <= radius; ++k) {
        rows[radius + k] = in.row(std::clamp(y + k, 0, in.height - 1)) +
                           static_cast<std::ptrdiff_t>(first) * channels;
    }
    const int lead = (first - (begin - radius)) * channels;
    const int blended = (last - first) * channels;
    const int needed = (end - begin + 2 * radius) * channels;
    blend(rows, taps, blended, buffers.blended[0] + lead, buffers.blended[1] + lead);
    for (int phase = 0; phase < 2; ++phase) {
        float* sums = buffers.blended[phase];
        for (int i = lead - 1; i >= 0; --i) sums[i] = sums[i + channels];  // beyond the border
        for (int i = lead + blended; i < needed; ++i) sums[i] = sums[i - channels];
        const int count = (end - begin) * channels;
        widen(sums, channels, taps, count, buffers.sides[0], buffers.sides[1]);
        take_turns(buffers.sides[0], buffers.sides[1], channels, end - begin, buffers.line);
        stream(out.row(2 * y + phase) + static_cast<std::ptrdiff_t>(2 * begin) * channels,
               buffers.line, 2 * static_cast<std::size_t>(count));
    }
}

/// Rows [top, bottom) of the input.
ALWAYS_INLINE inline void upscale_band(ImageView<const std::uint8_t> in,
                                       ImageView<std::uint8_t> out, const Taps& taps, int top,
                                       int bottom, Buffers& buffers) {
    for (int begin = 0; begin < in.width; begin += strip) {
        const int end = std::min(begin + strip, in.width);
        for (int y = top; y < bottom; ++y) upscale_strip(in, out, taps, y, begin, end, buffers);
    }
}

using UpscaleRows = void(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                         const Taps& taps, int top, int bottom, Buffers& buffers);

static void upscale_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                         const Taps& taps, int top, int bottom, Buffers& buffers) {
    upscale_band(in, out, taps, top, bottom, buffers);
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] static void upscale_rows_avx2(ImageView<const std::uint8_t> in,
                                                                ImageView<std::uint8_t> out,
                                                                const Taps& taps, int top,
                                                                int bottom, Buffers& buffers) {
    upscale_band(in, out, taps, top, bottom, buffers);
}

[[gnu::target("arch=x86-64-v4")]] static void upscale_rows_avx512(ImageView<const std::uint8_t> in,
                                                                  ImageView<std::uint8_t> out,
                                                                  const Taps& taps, int top,
                                                                  int bottom, Buffers& buffers) {
    upscale_band(in, out, taps, top, bottom, buffers);
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
    UpscaleRows* const upscale = version_for(common::best_instruction_set(options.instruction_set));
    const int bands = (in.height + band - 1) / band;
    const bool alone = in.height * in.row_length() < worth_threads;
#pragma omp parallel num_threads(options.threads) if (!alone)
    {
        const auto buffers = std::make_unique<Buffers>();  // large for a stack
#pragma omp for schedule(static)
        for (int b = 0; b < bands; ++b) {
            upscale(in, out, taps, b * band, std::min((b + 1) * band, in.height), *buffers);
        }
#if defined(__SSE2__)
        _mm_sfence();
#endif
    }
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "one pass, both axes and all phases of a strip at once, in whole vectors"},
    omp_best,
    Traits{.operations = separable_operations}};

}  // namespace upscale
