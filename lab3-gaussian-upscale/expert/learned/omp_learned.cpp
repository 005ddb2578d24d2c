// The method `learned` with dot products of bytes. Threads take tiles, whose activations stay in
// the L2 cache, and run one layer after the other on them.
//
// Per source pixel, seq_learned takes 7632 multiply-adds of one value. An instruction of AVX-512
// VNNI makes 64, so 3 + 4 * 36 of them are enough; the last layer uses 4 of 16 outputs. Halos of
// tiles of 120x40 add 17%. AVX2 makes 16 with two instructions, on 16 bits.
//
// Bound by vpdpbusd and the loads that broadcast activations, one of each per 64 multiply-adds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "dot_products.hpp"
#include "problem/network.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;
using common::InstructionSet;

static constexpr int tile_width = 120;  // source pixels
static constexpr int tile_height = 40;
static constexpr int step = 8;  // pixels that a call of `convolve` rounds up to
static constexpr int row_pixels = (tile_width + 2 * network_layers + step - 1) / step * step + step;
static constexpr int rows = tile_height + 2 * network_layers;

/// The layers in the order of a set of instructions; all threads read them.
template <class Set>
static std::vector<PackedLayer<Set>> packed(const Network& network) {
    std::vector<PackedLayer<Set>> layers;
    for (int i = 0; i < network_layers; ++i) {
        const int stride = Network::inputs(i);
        layers.emplace_back(network.layers[i], stride, stride, row_pixels * stride);
    }
    return layers;
}

/// A thread's memory for a tile.
template <class Set>
struct Buffers {
    using Value = typename Set::Value;
    std::vector<Value> luma = std::vector<Value>(rows * row_pixels + step);
    std::vector<Value> activations[2] = {std::vector<Value>(rows * row_pixels * network_channels),
                                         std::vector<Value>(rows* row_pixels* network_channels)};
    std::vector<std::int16_t> residuals = std::vector<std::int16_t>(rows * row_pixels * phases);
    std::vector<int> sums = std::vector<int>(3 * (tile_width + 4));  ///< of columns
};

/// Source pixels.
struct Tile {
    int left;
    int top;
    int width;
    int height;
};

template <class Value>
static void load_luma(ImageView<const std::uint8_t> in, const Tile& tile, Value* luma_values) {
    for (int y = 0; y < tile.height + 2 * network_layers; ++y) {
        const std::uint8_t* row =
            in.row(std::clamp(tile.top + y - network_layers, 0, in.height - 1));
        Value* const to = luma_values + y * row_pixels;
        for (int x = 0; x < tile.width + 2 * network_layers; ++x) {
            const int from = std::clamp(tile.left + x - network_layers, 0, in.width - 1);
            to[x] = static_cast<Value>(luma(row + std::ptrdiff_t{from} * in.channels, in.channels));
        }
    }
}

/// Columns beyond the tile, up to a multiple of `step`, get results that are not used.
template <class Set>
static void run_network(const std::vector<PackedLayer<Set>>& layers, const Tile& tile,
                        Buffers<Set>& buffers) {
    for (int i = 0; i < network_layers; ++i) {
        const int stride = Network::inputs(i);
        const auto* const in = i == 0 ? buffers.luma.data() : buffers.activations[i % 2].data();
        auto* const out = buffers.activations[(i + 1) % 2].data();
        const int halo = Network::halo(i);
        const int count = (tile.width + 2 * halo + step - 1) / step * step;
        for (int y = 0; y < tile.height + 2 * halo; ++y) {
            const auto* row = in + y * row_pixels * stride;
            if (i < network_layers - 1) {
                Set::convolve(row, stride, layers[static_cast<std::size_t>(i)], count,
                              out + y * row_pixels * network_channels);
            } else {
                Set::convolve(row, stride, layers[static_cast<std::size_t>(i)], count,
                              buffers.residuals.data() + y * row_pixels * phases);
            }
        }
    }
}

/// Adds the residuals to the bicubic values: along y for all bytes of a row, then along x.
static void restore_row(ImageView<const std::uint8_t> in, std::uint8_t* out, const Tile& tile,
                        int Y, const std::int16_t* residuals, int* sums) {
    const std::uint8_t* from[4];
    for (int j = 0; j < 4; ++j) {
        from[j] = in.row(std::clamp(Y / 2 + (j - 2) * direction(Y), 0, in.height - 1));
    }
    const int channels = in.channels;
    for (int x = 0; x < tile.width + 4; ++x) {
        const std::ptrdiff_t column = std::clamp(tile.left + x - 2, 0, in.width - 1);
        for (int c = 0; c < channels; ++c) {
            int sum = 0;
            for (int j = 0; j < 4; ++j) sum += bicubic_256(j) * from[j][column * channels + c];
            sums[x * channels + c] = sum;
        }
    }
    const int phase = 2 * (Y % 2);
    for (int x = 0; x < tile.width; ++x, residuals += phases, out += 2 * channels) {
        for (int c = 0; c < channels; ++c) {
            const int* tap = sums + x * channels + c;  // of column x - 2
            int even = 0;
            int odd = 0;
            for (int i = 0; i < 4; ++i) {
                even += bicubic_256(i) * tap[i * channels];
                odd += bicubic_256(i) * tap[(4 - i) * channels];
            }
            out[c] = restored(even, residuals[phase]);
            out[channels + c] = restored(odd, residuals[phase + 1]);
        }
    }
}

template <class Set>
static void upscale_tiles(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                          const Options& options) {
    const std::vector<PackedLayer<Set>> layers = packed<Set>(*options.network);
    const int across = (in.width + tile_width - 1) / tile_width;
    const int down = (in.height + tile_height - 1) / tile_height;
#pragma omp parallel num_threads(options.threads)
    {
        Buffers<Set> buffers;
#pragma omp for schedule(dynamic)
        for (std::int64_t i = 0; i < std::int64_t{across} * down; ++i) {
            const int left = static_cast<int>(i % across) * tile_width;
            const int top = static_cast<int>(i / across) * tile_height;
            const Tile tile{left, top, std::min(tile_width, in.width - left),
                            std::min(tile_height, in.height - top)};
            load_luma(in, tile, buffers.luma.data());
            run_network(layers, tile, buffers);
            for (int Y = 2 * top; Y < 2 * (top + tile.height); ++Y) {
                restore_row(in, &out.at(2 * left, Y), tile, Y,
                            buffers.residuals.data() + (Y / 2 - top) * row_pixels * phases,
                            buffers.sums.data());
            }
        }
    }
}

void omp_learned(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                 const Options& options) {
#if LABS_X86_LEVELS
    const InstructionSet set = common::best_instruction_set(options.limits.instruction_set);
    if (set >= InstructionSet::avx512_vbmi && __builtin_cpu_supports("avx512vnni")) {
        return upscale_tiles<Quads>(in, out, options);
    }
    if (set >= InstructionSet::avx2) return upscale_tiles<Pairs>(in, out, options);
#endif
    upscale_tiles<Scalars>(in, out, options);
}

static const Register registered{
    {.name = "omp_learned",
     .backend = common::Backend::omp,
     .idea = "--method learned with dot products of bytes (VNNI), or of 16 bits (AVX2)"},
    omp_learned,
    Traits{.in_ladder = false, .learned = true}};

}  // namespace upscale
