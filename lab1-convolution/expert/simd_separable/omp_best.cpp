// Tiling and register blocking. A loaded pixel is used for up to four output rows while it is in a
// register, and a sum becomes a pixel before it leaves the registers. Weights that are small
// integers times a scale, as in most masks, allow 16-bit arithmetic, with twice the SIMD lanes of
// floats. If the scale is 1/9, the sum is divided by 9 with one multiplication (pixels.hpp). A mask
// that is a column times a row, except for its middle weight, needs 2n + 1 operations per value
// instead of n*n.
//
// Against omp_separable, which is bound by instructions: each byte is converted for four rows, not
// once per row of the mask; weights of 8 bits are not converted at all, and multiplied in pairs
// (sum_pairs in sums.hpp) or, in 5x5 masks, where the CPU can, in fours (quads.hpp). A small
// separable mask keeps the sums of its rows in registers, too (strips.hpp); of others, only the
// column sums are stored and loaded again, in the L1 cache. Non-temporal stores write an output
// that is too large for the caches.
//
// At 7680x4320, colour: 199 MB to move. Separable 3x3: a row of a strip, 64 values, takes about 34
// vector instructions (AVX-512), 53 million in all; 5x5 in floats: 25 fused multiply-adds per value
// in 16 lanes, 155 million. The first take less than the time of the memory traffic; the second
// take more. So bound by memory with small or separable masks, by arithmetic with others. Those
// that need floats use AMX where the CPU has it: see amx.cpp.
//
// It can exceed the rate of a copy where memory bounds it: the ordinary stores of a copy first read
// the lines that they overwrite.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "amx.hpp"
#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "common/view.hpp"
#include "l1_cache.hpp"
#include "ladder/parts/separable.hpp"
#include "pixels.hpp"
#include "problem/variant.hpp"
#include "quads.hpp"
#include "strips.hpp"
#include "sums.hpp"
#include "tiling.hpp"

namespace convolution {

using common::ImageView;
using common::InstructionSet;

static constexpr std::ptrdiff_t worth_threads = 1 << 15;  // values
static constexpr std::ptrdiff_t worth_amx = 1 << 15;      // values

static constexpr int most_rows = tile_height + Mask::max_size - 1;

/// The buffers of a thread for a tile.
template <class Sum>
struct Buffers {
    const std::uint8_t* rows[most_rows];  ///< of the source, with the halo
    alignas(64) std::uint8_t copies[most_rows][pitch];
    alignas(64) Sum values[most_rows][pitch];
    alignas(64) std::uint8_t lines[tile_height][pitch];  ///< of the output
    EdgeRows edges;
};

/// Windows of floats read each pixel n times, and a conversion takes two instructions.
template <class Sum>
static constexpr bool converts_first = std::is_same_v<Sum, float>;

/// Rows `first` to `first + rows_at_once - 1` of the tile.
template <int Bytes, int N, bool InQuads, class Sum>
ALWAYS_INLINE inline void convolve_rows(const Decomposition& mask, const Taps<Sum>& taps,
                                        const ToPixels<Sum>& to_pixels, int first, int stride,
                                        int count, Buffers<Sum>& buffers) {
    using Sums = Vector<Sum, Bytes>;
    const std::uint8_t* const* rows = buffers.rows + first;
    const auto store = [&](int r, int i, Sums& sum) ALWAYS_INLINE {
        const std::uint8_t* middle = rows[r + N / 2] + N / 2 * stride + i;
        to_pixels.template store<Bytes>(sum, middle, buffers.lines[r] + i);
    };
#if defined(__x86_64__)
    if constexpr (InQuads) {
        if constexpr (N == Quads::size) {
            sum_quads(buffers.copies[first], stride, Quads(mask), count,
                      [&](int r, int i, Sums& low, Sums& high) ALWAYS_INLINE {
                          to_pixels.template store<Bytes>(low, high, buffers.lines[r] + i);
                      });
        }
        return;
    }
#endif
    if (mask.separable) {
        Sum* sums = buffers.values[0];
        sum_columns<Bytes, N>(rows, taps.column, whole_steps(count + (N - 1) * stride), sums);
        for (int r = 0; r < rows_at_once; ++r) {
            sum_row<Bytes, N>(sums + r * pitch, stride, taps.row, count,
                              [&](int i, Sums& sum) ALWAYS_INLINE { store(r, i, sum); });
        }
    } else if constexpr (converts_first<Sum>) {
        sum_windows<Bytes, N>(buffers.values[first], stride, taps.weights, count, store);
    } else {
        if constexpr (multiplies_pairs<Bytes> && N <= 5) {  // else too few registers
            if (taps.in_pairs) {
                return sum_pairs<Bytes, N>(buffers.copies[first], stride, taps, count,
                                           [&](int r, int i, Sums& low, Sums& high) ALWAYS_INLINE {
                                               to_pixels.template store<Bytes>(
                                                   low, high, buffers.lines[r] + i);
                                           });
            }
        }
        sum_windows<Bytes, N>(buffers.copies[first], stride, taps.weights, count, store);
    }
}

template <int Bytes, bool InQuads, class Sum>
ALWAYS_INLINE inline void convolve_tile(ImageView<const std::uint8_t> in, Output out,
                                        const Decomposition& mask, const Taps<Sum>& taps,
                                        const Tile& tile, Buffers<Sum>& buffers) {
    const int k = mask.size / 2;
    const int halo = k * in.channels;
    const int count = whole_steps(static_cast<int>(tile.end + out.overhang(tile.end) - tile.begin));
    const int with_halo = whole_steps(count + 2 * halo);
    const int groups = (tile.bottom - tile.top + rows_at_once - 1) / rows_at_once;
    // Includes rows that are computed but not stored.
    const int rows = groups * rows_at_once + 2 * k;
    const ToPixels<Sum> to_pixels(mask);
    if constexpr (!std::is_same_v<Sum, float>) {
        if (suits_strips<Bytes>(mask, taps, to_pixels)) {
            return convolve_strips<Bytes>(in, out, taps, to_pixels, mask.size, tile, buffers.edges,
                                          buffers.lines);
        }
    }
    for (int r = 0; r < rows; ++r) {
        const std::ptrdiff_t first = tile.begin - halo;
        std::uint8_t* copy = buffers.copies[r];
        if (mask.separable || converts_first<Sum>) {
            buffers.rows[r] = source_row(in, tile.top - k + r, first, first + with_halo, copy);
        } else {
            copy_row(in, tile.top - k + r, first, first + with_halo, copy);
            buffers.rows[r] = copy;
        }
        if (!mask.separable && converts_first<Sum>) {
            to_values<Bytes>(buffers.rows[r], with_halo, buffers.values[r]);
        }
    }
    prefetch(in, tile.top - k, tile.bottom + k, tile.end);
    for (int y = tile.top; y < tile.bottom; y += rows_at_once) {
        with_size(mask.size, [&]<int N>() ALWAYS_INLINE {
            convolve_rows<Bytes, N, InQuads>(mask, taps, to_pixels, y - tile.top, in.channels,
                                             count, buffers);
        });
        for (int r = 0; r < std::min(rows_at_once, tile.bottom - y); ++r) {
            store_row<Bytes>(out, out.row(y + r), buffers.lines[r], tile.begin, tile.end);
        }
    }
}

/// Convolves rows [top, bottom), tile by tile.
template <int Bytes, class Sum, bool InQuads = false>
ALWAYS_INLINE inline void convolve_with(ImageView<const std::uint8_t> in, Output out,
                                        const Decomposition& mask, int top, int bottom) {
    const Taps<Sum> taps(mask);
    const auto for_tiles = [&](int height, auto convolve) ALWAYS_INLINE {
        for (int y = top; y < bottom; y += height) {
            for (std::ptrdiff_t begin = 0; begin < in.row_length(); begin += tile_width) {
                const std::ptrdiff_t end =
                    std::min<std::ptrdiff_t>(begin + tile_width, in.row_length());
                convolve(Tile{y, std::min(y + height, bottom), begin, end});
            }
        }
    };
    if constexpr (!std::is_same_v<Sum, float>) {
        const ToPixels<Sum> to_pixels(mask);
        if (suits_strips<Bytes>(mask, taps, to_pixels) && stored_directly<Bytes>(out)) {
            EdgeRows edges;
            const int height = rows_in_l1(in, out, mask.size, strip_height<Bytes>, l1_ways());
            return for_tiles(height, [&](const Tile& tile) ALWAYS_INLINE {
                convolve_directly<Bytes>(in, out, taps, to_pixels, mask.size, tile, edges);
            });
        }
    }
    const auto buffers = std::make_unique_for_overwrite<Buffers<Sum>>();  // large for a stack
    for_tiles(tile_height, [&](const Tile& tile) ALWAYS_INLINE {
        convolve_tile<Bytes, InQuads>(in, out, mask, taps, tile, *buffers);
    });
}

// Dispatch: a version for each register size and type of sums. The compiler splits wider vectors,
// but keeps the parts in memory; and it allocates registers better in functions of their own.
using ConvolveRows = void(ImageView<const std::uint8_t> in, Output out, const Decomposition& mask,
                          int top, int bottom);

template <class Sum>
static void convolve_rows(ImageView<const std::uint8_t> in, Output out, const Decomposition& mask,
                          int top, int bottom) {
    convolve_with<16, Sum>(in, out, mask, top, bottom);
}

#if defined(__x86_64__)
template <class Sum>
[[gnu::target("arch=x86-64-v3")]] static void convolve_rows_avx2(ImageView<const std::uint8_t> in,
                                                                 Output out,
                                                                 const Decomposition& mask, int top,
                                                                 int bottom) {
    convolve_with<32, Sum>(in, out, mask, top, bottom);
}

template <class Sum>
[[gnu::target("arch=x86-64-v4")]] static void convolve_rows_avx512(ImageView<const std::uint8_t> in,
                                                                   Output out,
                                                                   const Decomposition& mask,
                                                                   int top, int bottom) {
    convolve_with<64, Sum>(in, out, mask, top, bottom);
}

[[gnu::target(LABS_TARGET_QUADS)]] static void convolve_rows_in_quads(
    ImageView<const std::uint8_t> in, Output out, const Decomposition& mask, int top, int bottom) {
    convolve_with<64, std::uint16_t, true>(in, out, mask, top, bottom);
}
#endif

template <class Sum>
static ConvolveRows* version_for([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512) return convolve_rows_avx512<Sum>;
    if (set >= InstructionSet::avx2) return convolve_rows_avx2<Sum>;
#endif
    return convolve_rows<Sum>;
}

static ConvolveRows* version_for(const Decomposition& mask, InstructionSet set) {
    if (!ToPixels<std::uint16_t>::suit(mask)) return version_for<float>(set);
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512_vbmi && __builtin_cpu_supports("avx512vnni") &&
        Quads::suit(mask)) {
        return convolve_rows_in_quads;
    }
#endif
    return version_for<std::uint16_t>(set);
}

/// The weights for AMX, if it is faster: where sums of 16 bits do not suffice.
static std::optional<AmxWeights> weights_for_amx(const Mask& mask,
                                                 const Decomposition& decomposition,
                                                 ImageView<const std::uint8_t> in,
                                                 InstructionSet set) {
    const bool worthwhile =
        !ToPixels<std::uint16_t>::suit(decomposition) && in.height * in.row_length() >= worth_amx;
    if (!worthwhile || set < InstructionSet::amx) return std::nullopt;
    return amx_weights_for(mask, in.channels);
}

void omp_best(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Decomposition mask = decompose_with_centre(options.mask);
    const InstructionSet set = common::best_instruction_set(options.limits.instruction_set);
    ConvolveRows* const convolve = version_for(mask, set);
    const std::optional<AmxWeights> amx = weights_for_amx(options.mask, mask, in, set);
    const Output output(out, options.limits);
    const bool alone = in.height * in.row_length() < worth_threads;
    const int threads = alone ? 1 : std::min(options.threads, in.height);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; ++t) {
        const auto edge = [&](int i) {
            return static_cast<int>(std::int64_t{in.height} * i / threads);
        };
        if (amx) {
            convolve_with_amx(in, output, *amx, edge(t), edge(t + 1));
        } else {
            convolve(in, output, mask, edge(t), edge(t + 1));
        }
        fence_streams();
    }
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "SIMD register blocking, 16-bit sums, separable masks as column and row, AMX"},
    omp_best};

}  // namespace convolution
