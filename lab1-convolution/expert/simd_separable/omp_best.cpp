// The rows of omp_simd, with everything in it done as seldom as possible. A strip of a source row
// is widened from bytes once and then serves all the output rows whose windows it belongs to. A
// loaded value is used for up to four output rows while it is in a register, and sums leave the
// registers once. Weights that are small integers (times a scale, as in most masks) allow 16-bit
// arithmetic, twice as many values per instruction as floats; and a mask that is a column times a
// row, but for the weight in its middle, needs 2n + 1 operations per value instead of n*n.
//
// Against omp_simd: no sums that travel to the L1 cache and back with every tap, no conversion per
// tap, and an output that does not pass through the caches when it is too large for them.
//
// At 7680x4320, colour: 199 MB to move. Separable 3x3 in 16 bits: 6 multiplications and as many
// additions per value, 32 values at a time with AVX-512, so 37 million vector instructions; 5x5 in
// floats: 25 fused ones per value, 16 at a time, 155 million. The first take less time than the
// memory traffic and the work around them (widening, narrowing, storing); the second take more. So
// bound by moving bytes with small or separable masks, by arithmetic with others. These go to the
// matrix unit, where the machine has one: see matrix_unit.cpp.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "matrix_unit.hpp"
#include "problem/plan.hpp"
#include "problem/variant.hpp"
#include "strips.hpp"

namespace convolution {

using common::ImageView;
using common::InstructionSet;

static constexpr int rows_at_once = 4;          // rows of sums in registers
static constexpr int pitch = strip + 2 * step;  // of buffers; room for a halo of 3 * 7 on each side
static constexpr std::ptrdiff_t worth_threads = 1 << 15;   // values
static constexpr std::ptrdiff_t worth_matrices = 1 << 15;  // values

/// The weights in the type that sums are made of.
template <class Sum>
struct Taps {
    Sum weights[Mask::max_size * Mask::max_size];
    Sum column[Mask::max_size];
    Sum row[Mask::max_size];
    Sum centre;

    explicit Taps(const Plan& plan) {
        const auto as_sum = [](float weight) {
            // By way of int: negative weights modulo 2^16.
            if constexpr (std::is_same_v<Sum, float>) return weight;
            return static_cast<Sum>(static_cast<int>(weight));
        };
        std::ranges::transform(plan.weights, weights, as_sum);
        std::ranges::transform(plan.column, column, as_sum);
        std::ranges::transform(plan.row, row, as_sum);
        centre = as_sum(plan.centre);
    }
};

/// What is in between: widened source rows with a halo all around, and sums.
template <class Sum>
struct Buffers {
    alignas(64) Sum rows[(band + Mask::max_size - 1) * pitch];
    alignas(64) Sum column_sums[pitch];
    alignas(64) Sum sums[rows_at_once * pitch];
    std::uint8_t line[strip + cache_line];
};

/// Neighbouring values, to be worked on together: as many bytes as the machine has in a register.
template <class Value, int Bytes>
using Vector [[gnu::vector_size(Bytes)]] = Value;

/// Sums in so many bytes.
template <int Bytes, class Sum>
static constexpr int lanes = Bytes / sizeof(Sum);

// Conversions from one of these to the next wider or narrower one are single instructions.
template <int Count>
using Pixels = Vector<std::uint8_t, Count>;
template <int Count>
using Words = Vector<std::uint16_t, 2 * Count>;
template <int Count>
using Ints = Vector<std::int32_t, 4 * Count>;
template <int Count>
using Floats = Vector<float, 4 * Count>;

// By reference, because vectors that are handed over by value depend on the instruction set.
template <class To>
ALWAYS_INLINE inline void load(To& vector, const void* from) {
    std::memcpy(&vector, from, sizeof vector);
}

/// Calls `loop` with the mask's size as a constant, so that the taps are unrolled.
template <class Loop>
ALWAYS_INLINE inline void with_size(int size, Loop loop) {
    switch (size) {
        case 1:
            return loop.template operator()<1>();
        case 3:
            return loop.template operator()<3>();
        case 5:
            return loop.template operator()<5>();
        case 7:
            return loop.template operator()<7>();
        case 9:
            return loop.template operator()<9>();
        case 11:
            return loop.template operator()<11>();
        case 13:
            return loop.template operator()<13>();
        default:
            return loop.template operator()<15>();
    }
}

/// sums[i] (+)= sum over k of weights[k] * in[i + k * stride]; in addition to what was there, or
/// instead of it. The sum of a column where the stride is the pitch.
template <int Bytes, bool Add, class Sum>
ALWAYS_INLINE inline void add_taps(const Sum* in, int stride, const Sum* taps, int size, int count,
                                   Sum* sums) {
    with_size(size, [=]<int N>() ALWAYS_INLINE {
        for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
            Vector<Sum, Bytes> sum = {};
            if constexpr (Add) load(sum, sums + i);
#pragma GCC unroll 16
            for (int k = 0; k < N; ++k) {
                Vector<Sum, Bytes> value;
                load(value, in + i + k * stride);
                sum += taps[k] * value;
            }
            std::memcpy(sums + i, &sum, sizeof sum);
        }
    });
}

/// Whole windows of N x N taps, for `rows_at_once` rows of sums together: each value is loaded once
/// for all of them.
template <int Bytes, int N, class Sum>
ALWAYS_INLINE inline void add_windows(const Sum* rows, int stride, const Sum* taps, int count,
                                      Sum* sums) {
    for (int i = 0; i < count; i += lanes<Bytes, Sum>) {
        Vector<Sum, Bytes> sum[rows_at_once] = {};
#pragma GCC unroll 16
        for (int s = 0; s < N + rows_at_once - 1; ++s) {
#pragma GCC unroll 16
            for (int j = 0; j < N; ++j) {
                Vector<Sum, Bytes> value;
                load(value, rows + i + s * pitch + j * stride);
#pragma GCC unroll 16
                for (int r = 0; r < rows_at_once; ++r) {
                    const int row_of_mask = s - r;
                    if (row_of_mask < 0 || row_of_mask >= N) continue;
                    sum[r] += taps[row_of_mask * N + j] * value;
                }
            }
        }
#pragma GCC unroll 16
        for (int r = 0; r < rows_at_once; ++r) {
            std::memcpy(sums + r * pitch + i, &sum[r], sizeof sum[r]);
        }
    }
}

/// Bytes [begin, end) of row y, `count` values with what follows; zeros outside the image, which
/// add nothing to a sum: that is "skipped".
template <int Bytes, class Sum>
ALWAYS_INLINE inline void widen(ImageView<const std::uint8_t> in, int y, std::ptrdiff_t begin,
                                std::ptrdiff_t end, int count, Sum* to) {
    if (y < 0 || y >= in.height) {
        std::fill_n(to, count, Sum{0});
        return;
    }
    const std::ptrdiff_t first = std::max<std::ptrdiff_t>(begin, 0);
    const std::ptrdiff_t last = std::min(end, in.row_length());
    const auto lead = static_cast<int>(first - begin);
    const auto inside = static_cast<int>(last - first);
    const std::uint8_t* from = in.row(y) + first;
    std::fill_n(to, lead, Sum{0});
    to += lead;
    int i = 0;
    constexpr int count_at_once = lanes<Bytes, Sum>;
    for (; i + count_at_once <= inside; i += count_at_once) {
        Pixels<count_at_once> pixels;
        load(pixels, from + i);
        Vector<Sum, Bytes> values;
        const auto words = __builtin_convertvector(pixels, Words<count_at_once>);
        if constexpr (std::is_same_v<Sum, float>) {
            values = __builtin_convertvector(__builtin_convertvector(words, Ints<count_at_once>),
                                             Floats<count_at_once>);
        } else {
            values = words;
        }
        std::memcpy(to + i, &values, sizeof values);
    }
    for (; i < inside; ++i) to[i] = static_cast<Sum>(from[i]);
    std::fill_n(to + inside, count - lead - inside, Sum{0});
}

/// Sums as pixel values: clamped to 0..255, then truncated.
template <int Bytes>
ALWAYS_INLINE inline void to_pixels(const float* sums, float scale, int count,
                                    std::uint8_t* pixels) {
    constexpr int at_once = lanes<Bytes, float>;
    using Sums = Floats<at_once>;
    for (int i = 0; i < count; i += at_once) {
        Sums sum;
        load(sum, sums + i);
        sum *= scale;
        sum = sum > 0 ? sum : Sums{};
        sum = sum < 255 ? sum : Sums{} + 255;
        const auto ints = __builtin_convertvector(sum, Ints<at_once>);
        const auto words = __builtin_convertvector(ints, Words<at_once>);
        const auto values = __builtin_convertvector(words, Pixels<at_once>);
        std::memcpy(pixels + i, &values, sizeof values);
    }
}

/// Sums of 16 bits, shifted, and `centre` times the source's values in the middle of each window.
template <int Bytes>
ALWAYS_INLINE inline void add_centre(const std::uint16_t* sums, const std::uint16_t* middle,
                                     const Plan& plan, int count, std::uint8_t* pixels) {
    constexpr int at_once = lanes<Bytes, std::uint16_t>;
    using Signed = Vector<std::int16_t, Bytes>;
    const auto bias = static_cast<std::uint16_t>(plan.bias);
    const auto centre = static_cast<std::int16_t>(plan.centre);
    const auto excess = static_cast<std::int16_t>(plan.bias >> plan.shift);
    for (int i = 0; i < count; i += at_once) {
        Words<at_once> sum;
        Signed value;
        load(sum, sums + i);
        load(value, middle + i);
        sum = (sum + bias) >> static_cast<std::uint16_t>(plan.shift);
        value = centre * value + (reinterpret_cast<Signed&>(sum) - excess);
        value = value > 0 ? value : Signed{};
        value = value < 255 ? value : Signed{} + 255;
        const auto bytes = __builtin_convertvector(value, Pixels<at_once>);
        std::memcpy(pixels + i, &bytes, sizeof bytes);
    }
}

/// `middle` are the source's values in the middle of each window.
template <int Bytes>
ALWAYS_INLINE inline void to_pixels(const std::uint16_t* sums, const std::uint16_t* middle,
                                    const Plan& plan, int count, std::uint8_t* pixels) {
    constexpr int at_once = lanes<Bytes, std::uint16_t>;
    if (plan.centre != 0) return add_centre<Bytes>(sums, middle, plan, count, pixels);
    constexpr int floats_at_once = lanes<Bytes, float>;
    using Sums = Words<at_once>;
    const auto bias = static_cast<std::uint16_t>(plan.bias);
    for (int i = 0; i < count; i += at_once) {
        Sums sum;
        load(sum, sums + i);
        sum += bias;
        sum = (sum > bias ? sum : Sums{} + bias) - bias;
        if (plan.shift < 0) {
            float floats[at_once];
            for (int half = 0; half < at_once; half += floats_at_once) {
                Words<floats_at_once> words;
                load(words, reinterpret_cast<const std::uint16_t*>(&sum) + half);
                const auto ints = __builtin_convertvector(words, Ints<floats_at_once>);
                const auto values = __builtin_convertvector(ints, Floats<floats_at_once>);
                std::memcpy(floats + half, &values, sizeof values);
            }
            to_pixels<Bytes>(floats, plan.scale, at_once, pixels + i);
            continue;
        }
        sum >>= static_cast<std::uint16_t>(plan.shift);
        sum = sum < 255 ? sum : Sums{} + 255;
        const auto values = __builtin_convertvector(sum, Pixels<at_once>);
        std::memcpy(pixels + i, &values, sizeof values);
    }
}

template <int Bytes>
ALWAYS_INLINE inline void to_pixels(const float* sums, const float*, const Plan& plan, int count,
                                    std::uint8_t* pixels) {
    to_pixels<Bytes>(sums, plan.scale, count, pixels);
}

/// Sums for `rows_at_once` rows, `count` values of each; `rows` begins with the halo.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void sum_rows(const Sum* rows, const Plan& plan, const Taps<Sum>& taps,
                                   int stride, int count, Buffers<Sum>& buffers) {
    const int n = plan.size;
    if (!plan.separable && n == 3) {
        return add_windows<Bytes, 3>(rows, stride, taps.weights, count, buffers.sums);
    }
    if (!plan.separable && n == 5) {
        return add_windows<Bytes, 5>(rows, stride, taps.weights, count, buffers.sums);
    }
    for (int r = 0; r < rows_at_once; ++r) {
        Sum* sums = buffers.sums + r * pitch;
        const Sum* top = rows + r * pitch;
        if (plan.separable) {
            const int with_halo = whole_steps(count + (n - 1) * stride);
            add_taps<Bytes, false>(top, pitch, taps.column, n, with_halo, buffers.column_sums);
            add_taps<Bytes, false>(buffers.column_sums, stride, taps.row, n, count, sums);
            if (!plan.in_16_bits && plan.centre != 0) {
                const Sum* middle = top + n / 2 * (pitch + stride);
                add_taps<Bytes, true>(middle, stride, &taps.centre, 1, count, sums);
            }
        } else {
            add_taps<Bytes, false>(top, stride, taps.weights, n, count, sums);
            for (int i = 1; i < n; ++i) {
                add_taps<Bytes, true>(top + i * pitch, stride, taps.weights + i * n, n, count,
                                      sums);
            }
        }
    }
}

/// Rows [top, bottom) and bytes [begin, end) of each.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void convolve_tile(ImageView<const std::uint8_t> in,
                                        ImageView<std::uint8_t> out, const Plan& plan,
                                        const Taps<Sum>& taps, int top, int bottom,
                                        std::ptrdiff_t begin, std::ptrdiff_t end,
                                        Buffers<Sum>& buffers) {
    const int k = plan.size / 2;
    const int halo = k * in.channels;
    const Output output(out);
    const std::ptrdiff_t made = end + output.overhang(end);
    const int count = whole_steps(static_cast<int>(made - begin));
    const int groups = (bottom - top + rows_at_once - 1) / rows_at_once;
    const int below = top + groups * rows_at_once + k;  // rows that do not count, but are added
    for (int y = top - k; y < below; ++y) {
        widen<Bytes>(in, y, begin - halo, made + halo, whole_steps(count + 2 * halo),
                     buffers.rows + (y - (top - k)) * pitch);
    }
    prefetch(in, top - k, bottom + k, end);
    for (int y = top; y < bottom; y += rows_at_once) {
        sum_rows<Bytes>(buffers.rows + (y - top) * pitch, plan, taps, in.channels, count, buffers);
        for (int r = 0; r < std::min(rows_at_once, bottom - y); ++r) {
            const Sum* middle = buffers.rows + (y + r - top + k) * pitch + halo;
            to_pixels<Bytes>(buffers.sums + r * pitch, middle, plan, count, buffers.line);
            store_strip(output, out.row(y + r), buffers.line, begin, end);
        }
    }
}

/// Rows [top, bottom).
template <int Bytes, class Sum>
ALWAYS_INLINE inline void convolve_with(ImageView<const std::uint8_t> in,
                                        ImageView<std::uint8_t> out, const Plan& plan, int top,
                                        int bottom) {
    const Taps<Sum> taps(plan);
    const auto buffers = std::make_unique_for_overwrite<Buffers<Sum>>();  // large for a stack
    for (int y = top; y < bottom; y += band) {
        for (std::ptrdiff_t begin = 0; begin < in.row_length(); begin += strip) {
            const std::ptrdiff_t end = std::min<std::ptrdiff_t>(begin + strip, in.row_length());
            convolve_tile<Bytes>(in, out, plan, taps, y, std::min(y + band, bottom), begin, end,
                                 *buffers);
        }
    }
}

/// The same with the sums that suit the plan.
template <int Bytes>
ALWAYS_INLINE inline void convolve_in(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                                      const Plan& plan, int top, int bottom) {
    plan.in_16_bits ? convolve_with<Bytes, std::uint16_t>(in, out, plan, top, bottom)
                    : convolve_with<Bytes, float>(in, out, plan, top, bottom);
}

// A version for each size of registers. Vectors wider than a register would do, too, but the
// compiler keeps their parts in memory.
using ConvolveRows = void(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                          const Plan& plan, int top, int bottom);

static void convolve_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                          const Plan& plan, int top, int bottom) {
    convolve_in<16>(in, out, plan, top, bottom);
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] static void convolve_rows_avx2(ImageView<const std::uint8_t> in,
                                                                 ImageView<std::uint8_t> out,
                                                                 const Plan& plan, int top,
                                                                 int bottom) {
    convolve_in<32>(in, out, plan, top, bottom);
}

[[gnu::target("arch=x86-64-v4")]] static void convolve_rows_avx512(ImageView<const std::uint8_t> in,
                                                                   ImageView<std::uint8_t> out,
                                                                   const Plan& plan, int top,
                                                                   int bottom) {
    convolve_in<64>(in, out, plan, top, bottom);
}
#endif

static ConvolveRows* version_for([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512) return convolve_rows_avx512;
    if (set >= InstructionSet::avx2) return convolve_rows_avx2;
#endif
    return convolve_rows;
}

/// The mask as matrices, if they are the faster way: sums of 16 bits that only have to be shifted
/// take no longer with vectors.
static std::optional<TileWeights> matrices_for(const Mask& mask, const Plan& plan,
                                               ImageView<const std::uint8_t> in,
                                               InstructionSet set) {
    const bool worthwhile = plan.shift < 0 && in.height * in.row_length() >= worth_matrices;
    if (!worthwhile || set < InstructionSet::amx) return std::nullopt;
    return tile_weights_for(mask, in.channels);
}

void omp_best(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Plan plan = plan_with_centre(options.mask);
    const InstructionSet set = common::best_instruction_set(options.instruction_set);
    ConvolveRows* const convolve = version_for(set);
    const std::optional<TileWeights> tiles = matrices_for(options.mask, plan, in, set);
    const bool alone = in.height * in.row_length() < worth_threads;
    const int threads = alone ? 1 : std::min(options.threads, in.height);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; ++t) {
        const auto edge = [&](int i) {
            return static_cast<int>(std::int64_t{in.height} * i / threads);
        };
        if (tiles) {
            convolve_with_matrix_unit(in, out, *tiles, edge(t), edge(t + 1));
        } else {
            convolve(in, out, plan, edge(t), edge(t + 1));
        }
#if defined(__SSE2__)
        _mm_sfence();
#endif
    }
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "16-bit or float sums of several rows at once, separable masks as column and row"},
    omp_best};

}  // namespace convolution
