#pragma once

#include <cstdint>

#include "common/ptx.cuh"
#include "fragments.hpp"

// The layers of the network on a tile in shared memory, by matrix multiply-accumulates. The left
// matrix has the weights: 16 outputs by two taps of 16 inputs. The right matrix has the activations
// of 8 neighbouring pixels. An activation has 16 bytes, one for each channel, so a lane's fragment
// of the right matrix is a word of a pixel, and a warp loads 128 consecutive bytes.

namespace upscale {

static constexpr int warp = 32;
static constexpr int row_pixels = 64;  // activations in a row of shared memory
static constexpr int pixel_bytes = network_channels;
static constexpr int row_bytes = row_pixels * pixel_bytes;
static constexpr int product_pixels = 8;  // columns of a product
static constexpr int warp_products = 2;   // side by side: independent sums hide latency
static constexpr int warp_pixels = product_pixels * warp_products;
static constexpr int warps_across = row_pixels / warp_pixels;

/// A warp's share of a layer: 16 columns of pixels, and the rows first … last - 1 of the output.
struct Share {
    int lane;
    int column;  ///< of the lane's pixel in the first product
    int first;
    int last;

    __device__ Share(int thread, int threads, int rows) : lane(thread % warp) {
        const int index = thread / warp;
        const int parts = threads / warp / warps_across;
        const int part = index / warps_across;
        column = index % warps_across * warp_pixels + lane / 4;
        first = rows * part / parts;
        last = rows * (part + 1) / parts;
    }
};

/// The sums of a product: rows lane / 4 and 8 more, columns lane % 4 * 2 and the next.
struct Sums {
    int values[4];

    __device__ Sums(int low, int high) : values{low, low, high, high} {}
};

/// The row of output activations of a share's pixels, as bytes.
static __device__ void store_activations(std::uint8_t* row, const Share& share, int product,
                                         const Sums& sums, int shift) {
    const auto& v = sums.values;
    const int pixel = share.column - share.lane / 4 + product * product_pixels + share.lane % 4 * 2;
    std::uint8_t* to = row + pixel * pixel_bytes + share.lane / 4 * 2;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        *reinterpret_cast<std::uint16_t*>(to + i * pixel_bytes) =
            common::pack_u8(v[i] >> shift, v[2 + i] >> shift);
    }
}

/// The same for residuals, [x][phase]. Only half of the lanes have rows that are phases.
static __device__ void store_residuals(std::int16_t* row, const Share& share, int product,
                                       const Sums& sums, int shift) {
    if (share.lane / 4 >= phases) return;
    const int pixel = share.column - share.lane / 4 + product * product_pixels + share.lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        row[(pixel + i) * phases + share.lane / 4] = sums.values[i] >> shift;
    }
}

/// The first layer, from rows of luma bytes. A lane has three taps of a row and a byte without
/// weight.
static __device__ void convolve_luma(const std::uint8_t* luma, int luma_pitch, std::uint8_t* out,
                                     const Share& share, const LayerFragments& layer) {
    const Fragment weights = layer.weights[0][share.lane];
    const int low = layer.bias[share.lane / 4];
    const int high = layer.bias[share.lane / 4 + 8];
    const int dy = share.lane % 4 < 2 ? share.lane % 4 : 2;  // the fourth lane has no weights
    const unsigned bytes = 0x3210u + 0x1111u * (share.column % 4);
    for (int y = share.first; y < share.last; ++y) {
        const std::uint8_t* row = luma + (y + dy) * luma_pitch + share.column / 4 * 4;
#pragma unroll
        for (int product = 0; product < warp_products; ++product) {
            const auto* words = reinterpret_cast<const unsigned*>(row + product * product_pixels);
            const unsigned right[2] = {__byte_perm(words[0], words[1], bytes), 0};
            Sums sums(low, high);
            common::multiply_add_s8_u8(sums.values, weights.words, right);
            store_activations(out + y * row_bytes, share, product, sums, layer.shift);
        }
    }
}

/// The lane's words of the taps of one row.
struct TapRow {
    unsigned words[warp_products][3];
};

/// Any other layer, downwards with the rows of taps in a sliding window. `store` gets the row, the
/// product and its sums.
template <class Store>
static __device__ void convolve(const std::uint8_t* in, const Share& share,
                                const LayerFragments& layer, Store store) {
    constexpr int products = LayerFragments::products;
    Fragment weights[products];
#pragma unroll
    for (int i = 0; i < products; ++i) weights[i] = layer.weights[i][share.lane];
    const int low = layer.bias[share.lane / 4];
    const int high = layer.bias[share.lane / 4 + 8];

    // The last columns of a row have no neighbours. Their results are not used.
    int offsets[warp_products][3];
#pragma unroll
    for (int i = 0; i < 3 * warp_products; ++i) {
        const int pixel = min(share.column + i / 3 * product_pixels + i % 3, row_pixels - 1);
        offsets[i / 3][i % 3] = pixel * pixel_bytes + share.lane % 4 * 4;
    }
    const auto load = [&](int y, TapRow& taps) {
        const std::uint8_t* row = in + y * row_bytes;
#pragma unroll
        for (int i = 0; i < 3 * warp_products; ++i) {
            taps.words[i / 3][i % 3] =
                *reinterpret_cast<const unsigned*>(row + offsets[i / 3][i % 3]);
        }
    };
    TapRow window[3];
    load(share.first, window[0]);
    load(share.first + 1, window[1]);
#pragma unroll 3
    for (int y = share.first; y < share.last; ++y) {
        load(y + 2, window[2]);
#pragma unroll
        for (int product = 0; product < warp_products; ++product) {
            Sums sums(low, high);
#pragma unroll
            for (int i = 0; i < products; ++i) {
                const int next = min(2 * i + 1, network_taps - 1);  // the tenth tap has no weights
                const unsigned right[2] = {window[2 * i / 3].words[product][2 * i % 3],
                                           window[next / 3].words[product][next % 3]};
                common::multiply_add_s8_u8(sums.values, weights[i].words, right);
            }
            store(y, product, sums);
        }
        window[0] = window[1];
        window[1] = window[2];
    }
}

}  // namespace upscale
