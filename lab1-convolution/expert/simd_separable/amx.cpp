// Matrix multiply-accumulate on a CPU, with Intel's AMX. One instruction multiplies 16 rows of 64
// signed bytes by 64 rows of 16 columns of unsigned bytes in 16 cycles: 1024 multiply-adds per
// cycle, where two vector units make 32 of floats.
//
// The left matrix is the mask, moved to each of 16 output positions: 4 rows of 4 bytes. The right
// matrix is pixels as they lie in memory: 64 bytes of a row are 16 columns of 4 bytes, and the
// window of 16 x 8 bytes for 4 x 4 output bytes is four such groups of 8 rows, in two products
// of 64. Tile registers load rows at a constant distance, so every source row is stored twice, the
// second time moved by 4 bytes. Channels stay interleaved: their distance is in the matrix of the
// mask, which for 5x5 and colour has 25 weights in 128 columns. Larger weights have digits, each
// with products and sums of its own; see base256.hpp.
//
// At 7680x4320, colour, three digits: 6 products per 256 bytes, 2.3 million in all, which take 37
// million cycles; floats take 155 million vector instructions in 78 million cycles. Bound by moving
// bytes and by the products; the conversion to pixels overlaps with the next product.

#include "amx.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>

#include "common/instruction_sets.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace convolution {

using common::ImageView;

static constexpr int rows_at_once = 4;      // of the output, in one product
static constexpr int rows_of_window = 8;    // of the source, for them
static constexpr int bytes_of_window = 16;  // of each, for four of the output
static constexpr int group = 4;             // neighbouring bytes in a column of the right matrix
static constexpr int line_pitch = tile_width + cache_line;

/// Sets a weight of mask row i, `offset` bytes to the right of the window's left edge, for each of
/// the 16 positions of the mask.
static void set_weight(int i, int offset, std::int8_t weight, int digit, AmxWeights& tiles) {
    for (int q = 0; q < rows_at_once; ++q) {
        for (int o = 0; o < group; ++o) {
            const int byte = offset + o;
            const int column = group * (2 * (i + q) + byte / group % 2) + byte % group;
            tiles.of[byte / (2 * group)][digit].weights[group * q + o][column] = weight;
        }
    }
}

std::optional<AmxWeights> amx_weights_for(const Mask& mask, int channels) {
    const int n = mask.size;
    const int width = (n - 1) * channels + group;
    if (n + rows_at_once - 1 > rows_of_window || width > bytes_of_window) return std::nullopt;
    const std::optional<Base256> base256 = in_base_256(mask);
    if (!base256) return std::nullopt;
    std::optional<AmxWeights> tiles{AmxWeights{.radius = n / 2,
                                               .digits = base256->digits,
                                               .halves = width > 2 * group ? 2 : 1,
                                               .shift = base256->shift,
                                               .scale = base256->scale}};
    for (int digit = 0; digit < base256->digits; ++digit) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                set_weight(i, j * channels, base256->at(digit, i, j), digit, *tiles);
            }
        }
    }
    return tiles;
}

#if defined(__x86_64__)

// A macro, because an attribute cannot be named in another way.
#define USES_AMX [[gnu::target("arch=x86-64-v4,amx-tile,amx-int8")]]

namespace {

using Sums = std::int32_t[16][16];

/// The source rows of a tile with their halo, each stored twice, and sums.
struct Buffers {
    alignas(64) std::uint8_t rows[2 * (tile_height + rows_of_window - rows_at_once)][pitch];
    alignas(64) Sums sums[3];
    alignas(64) std::uint8_t lines[rows_at_once][line_pitch];
};

/// The tile configuration: eight tile registers of 16 rows of 64 bytes.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// Sums of the digits for 4 rows of 64 bytes. Tile registers 4 to 6 hold the matrices of the first
/// half.
USES_AMX void multiply(const AmxWeights& weights, const std::uint8_t* pixels, Sums* sums) {
    const auto& second = weights.of[1];
    const int digits = weights.digits;
    _tile_loadd(3, pixels, pitch);
    _tile_zero(0);
    _tile_dpbsud(0, 4, 3);
    if (digits > 1) {
        _tile_zero(1);
        _tile_dpbsud(1, 5, 3);
    }
    if (digits > 2) {
        _tile_zero(2);
        _tile_dpbsud(2, 6, 3);
    }
    if (weights.halves == 2) {
        _tile_loadd(3, pixels + 2 * group, pitch);
        _tile_loadd(7, second[0].weights, 64);
        _tile_dpbsud(0, 7, 3);
        if (digits > 1) {
            _tile_loadd(7, second[1].weights, 64);
            _tile_dpbsud(1, 7, 3);
        }
        if (digits > 2) {
            _tile_loadd(7, second[2].weights, 64);
            _tile_dpbsud(2, 7, 3);
        }
    }
    _tile_stored(0, sums[0], 64);
    if (digits > 1) _tile_stored(1, sums[1], 64);
    if (digits > 2) _tile_stored(2, sums[2], 64);
}

using Ints [[gnu::vector_size(64)]] = std::int32_t;
using Floats [[gnu::vector_size(64)]] = float;

USES_AMX inline Ints load(const std::int32_t* from) {
    Ints ints;
    std::memcpy(&ints, from, sizeof ints);
    return ints;
}

/// The weighted sums from row `m` of the digits' sums, truncated.
template <int Digits, bool Shifted>
USES_AMX inline Ints values(const Sums* sums, int m, const AmxWeights& weights) {
    Ints low = load(sums[0][m]);
    if constexpr (Digits > 1) low += load(sums[1][m]) << 8;
    if constexpr (Shifted) return low >> weights.shift;
    Floats value = __builtin_convertvector(low, Floats) * weights.scale;
    if constexpr (Digits > 2) {
        value += __builtin_convertvector(load(sums[2][m]), Floats) * (65536 * weights.scale);
    }
    return __builtin_convertvector(value, Ints);
}

/// Rows m and m + 1 of the weighted sums as 16-bit integers, saturated.
template <int Digits, bool Shifted>
USES_AMX inline __m512i words(const Sums* sums, int m, const AmxWeights& weights) {
    const Ints left = values<Digits, Shifted>(sums, m, weights);
    const Ints right = values<Digits, Shifted>(sums, m + 1, weights);
    return _mm512_packs_epi32(reinterpret_cast<__m512i>(left), reinterpret_cast<__m512i>(right));
}

/// Packs four rows of 64 bytes. Packing clamps, and leaves the bytes of a column 4 bytes apart.
template <int Digits, bool Shifted>
USES_AMX void to_pixels(const Sums* sums, const AmxWeights& weights, std::uint8_t* pixels) {
    const __m512i together = _mm512_set4_epi32(0x0f0b0703, 0x0e0a0602, 0x0d090501, 0x0c080400);
    for (int q = 0; q < rows_at_once; ++q) {
        const __m512i bytes =
            _mm512_packus_epi16(words<Digits, Shifted>(sums, group * q, weights),
                                words<Digits, Shifted>(sums, group * q + 2, weights));
        _mm512_store_si512(pixels + q * line_pitch, _mm512_shuffle_epi8(bytes, together));
    }
}

template <int Digits, bool Shifted>
USES_AMX void convolve_rows(const AmxWeights& weights, const std::uint8_t* rows, int count,
                            Buffers& buffers) {
    for (int i = 0; i < count; i += step) {
        multiply(weights, rows + i, buffers.sums);
        to_pixels<Digits, Shifted>(buffers.sums, weights, buffers.lines[0] + i);
    }
}

/// Convolves rows [top, bottom) and bytes [begin, end) of each.
template <int Digits, bool Shifted>
USES_AMX void convolve_tile(ImageView<const std::uint8_t> in, Output out, const AmxWeights& weights,
                            int top, int bottom, std::ptrdiff_t begin, std::ptrdiff_t end,
                            Buffers& buffers) {
    const int k = weights.radius;
    const int halo = k * in.channels;
    const int count = whole_steps(static_cast<int>(end + out.overhang(end) - begin));
    const int with_window = count + bytes_of_window;
    const int groups = (bottom - top + rows_at_once - 1) / rows_at_once;
    const int rows = groups * rows_at_once + rows_of_window - rows_at_once;
    for (int r = 0; r < rows; ++r) {
        copy_row(in, top - k + r, begin - halo, begin - halo + with_window, buffers.rows[2 * r]);
        std::memcpy(buffers.rows[2 * r + 1], buffers.rows[2 * r] + group,
                    static_cast<std::size_t>(with_window - group));
    }
    prefetch(in, top - k, bottom + k, end);
    asm volatile("" ::: "memory");  // the compiler does not see what tile loads read
    for (int y = top; y < bottom; y += rows_at_once) {
        convolve_rows<Digits, Shifted>(weights, buffers.rows[2 * (y - top)], count, buffers);
        for (int r = 0; r < std::min(rows_at_once, bottom - y); ++r) {
            store_row<64>(out, out.row(y + r), buffers.lines[r], begin, end);
        }
    }
}

template <int Digits, bool Shifted>
USES_AMX void convolve(ImageView<const std::uint8_t> in, Output out, const AmxWeights& weights,
                       int top, int bottom) {
    static constexpr TileShapes shapes;
    const auto buffers = std::make_unique_for_overwrite<Buffers>();  // large for a stack
    _tile_loadconfig(&shapes);
    _tile_loadd(4, weights.of[0][0].weights, 64);
    _tile_loadd(5, weights.of[0][1].weights, 64);
    _tile_loadd(6, weights.of[0][2].weights, 64);
    for (int y = top; y < bottom; y += tile_height) {
        for (std::ptrdiff_t begin = 0; begin < in.row_length(); begin += tile_width) {
            const std::ptrdiff_t end =
                std::min<std::ptrdiff_t>(begin + tile_width, in.row_length());
            convolve_tile<Digits, Shifted>(in, out, weights, y, std::min(y + tile_height, bottom),
                                           begin, end, *buffers);
        }
    }
    _tile_release();
}

}  // namespace

void convolve_with_amx(ImageView<const std::uint8_t> in, Output out, const AmxWeights& weights,
                       int top, int bottom) {
    if (weights.shift < 0) {
        (weights.digits == 1 ? convolve<1, false> : convolve<3, false>)(in, out, weights, top,
                                                                        bottom);
    } else {
        (weights.digits == 1 ? convolve<1, true> : convolve<2, true>)(in, out, weights, top,
                                                                      bottom);
    }
}

#else

void convolve_with_amx(ImageView<const std::uint8_t>, Output, const AmxWeights&, int, int) {
}  // never called

#endif

}  // namespace convolution
