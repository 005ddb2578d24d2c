#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/instruction_sets.hpp"
#include "problem/network.hpp"

#if LABS_X86_LEVELS
#include <immintrin.h>
#endif

// A layer of the network on neighbouring pixels of a row, for three sets of instructions. In all of
// them, a vector has the sums of the 16 outputs of a pixel. An instruction multiplies `depth`
// neighbouring activations, the same for all outputs, by the outputs' weights, and adds the
// products to the sums.

namespace upscale {

/// A layer with its weights in the order in which they are used: [product][output][input].
template <class Set>
struct PackedLayer {
    std::vector<typename Set::Weight> weights{};
    std::vector<std::ptrdiff_t> offsets{};  ///< of a product's activations, in a window's
    std::int32_t bias[network_channels];    ///< with the half that rounds
    int shift;

    /// Pixels have `stride` values, rows `pitch`. Pixels of the first layer have one value, so a
    /// product has neighbouring pixels of a row, beyond the window's third without weight.
    PackedLayer(const Layer& layer, int inputs, int stride, std::ptrdiff_t pitch)
        : shift(layer.shift) {
        for (int o = 0; o < network_channels; ++o) bias[o] = layer.bias[o] + (1 << (shift - 1));
        const int row_values = inputs == 1 ? 3 : 3 * inputs;
        for (int dy = 0; dy < 3; ++dy) {
            for (int first = 0; first < row_values; first += Set::depth) {
                offsets.push_back(dy * pitch + (inputs == 1 ? first * stride : first));
                for (const auto& output : layer.weights) {
                    for (int k = first; k < first + Set::depth; ++k) {
                        const bool inside = k < row_values;
                        weights.push_back(inside ? output[3 * dy + k / inputs][k % inputs] : 0);
                    }
                }
            }
        }
    }
};

/// Activations are bytes and residuals have 16 bits.
template <class Value>
inline constexpr bool is_residual = sizeof(Value) == 2 && Value(-1) < Value(0);

/// For any CPU.
struct Scalars {
    using Value = std::uint8_t;
    using Weight = std::int16_t;
    static constexpr int depth = 1;

    template <class Out>
    static void convolve(const Value* in, int stride, const PackedLayer<Scalars>& layer, int count,
                         Out* out) {
        constexpr int outputs = is_residual<Out> ? phases : network_channels;
        for (int x = 0; x < count; ++x, in += stride, out += outputs) {
            std::int32_t sums[network_channels];
            std::copy_n(layer.bias, network_channels, sums);
            const Weight* weights = layer.weights.data();
            for (const std::ptrdiff_t offset : layer.offsets) {
                for (int o = 0; o < network_channels; ++o) sums[o] += weights[o] * in[offset];
                weights += network_channels;
            }
            for (int o = 0; o < outputs; ++o) {
                const int value = sums[o] >> layer.shift;
                out[o] = static_cast<Out>(is_residual<Out> ? value : std::clamp(value, 0, 255));
            }
        }
    }
};

#if LABS_X86_LEVELS

/// The same bits as an integer, for broadcasts.
inline int word_at(const void* from) {
    int word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

inline const __m256i* vectors(const void* from) {
    return static_cast<const __m256i*>(from);
}

/// AVX2: vpmaddwd multiplies pairs of 16 bits. (vpmaddubsw multiplies bytes, but saturates.)
struct Pairs {
    using Value = std::uint16_t;
    using Weight = std::int16_t;
    static constexpr int depth = 2;
    static constexpr int pixels = 4;  ///< at a time, with two vectors of sums for each

    template <class Out>
    __attribute__((target("avx2"))) static void convolve(const Value* in, int stride,
                                                         const PackedLayer<Pairs>& layer, int count,
                                                         Out* out) {
        const __m128i shift = _mm_cvtsi32_si128(layer.shift);
        for (int x = 0; x < count; x += pixels, in += pixels * stride) {
            __m256i sums[pixels][2];
            for (auto& pixel : sums) {
                pixel[0] = _mm256_loadu_si256(vectors(layer.bias));
                pixel[1] = _mm256_loadu_si256(vectors(layer.bias) + 1);
            }
            const Weight* weights = layer.weights.data();
            for (const std::ptrdiff_t offset : layer.offsets) {
                const __m256i low = _mm256_loadu_si256(vectors(weights));
                const __m256i high = _mm256_loadu_si256(vectors(weights) + 1);
                for (int k = 0; k < pixels; ++k) {
                    const __m256i pair = _mm256_set1_epi32(word_at(in + k * stride + offset));
                    sums[k][0] = _mm256_add_epi32(sums[k][0], _mm256_madd_epi16(pair, low));
                    sums[k][1] = _mm256_add_epi32(sums[k][1], _mm256_madd_epi16(pair, high));
                }
                weights += network_channels * depth;
            }
            for (const auto& pixel : sums) {
                const __m256i low = _mm256_sra_epi32(pixel[0], shift);
                const __m256i high = _mm256_sra_epi32(pixel[1], shift);
                if constexpr (is_residual<Out>) {
                    const __m128i first = _mm256_castsi256_si128(low);
                    _mm_storel_epi64(reinterpret_cast<__m128i*>(out),
                                     _mm_packs_epi32(first, first));
                    out += phases;
                } else {
                    const __m256i mixed =
                        _mm256_min_epu16(_mm256_packus_epi32(low, high), _mm256_set1_epi16(255));
                    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                                        _mm256_permute4x64_epi64(mixed, 0xd8));
                    out += network_channels;
                }
            }
        }
    }
};

/// AVX-512 with VNNI: vpdpbusd multiplies four bytes and adds to 32 bits.
struct Quads {
    using Value = std::uint8_t;
    using Weight = std::int8_t;
    static constexpr int depth = 4;
    static constexpr int pixels = 8;  ///< at a time: independent sums hide latency

    template <class Out>
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) static void convolve(
        const Value* in, int stride, const PackedLayer<Quads>& layer, int count, Out* out) {
        for (int x = 0; x < count; x += pixels, in += pixels * stride) {
            __m512i sums[pixels];
            for (__m512i& sum : sums) sum = _mm512_loadu_si512(layer.bias);
            const Weight* weights = layer.weights.data();
            for (const std::ptrdiff_t offset : layer.offsets) {
                const __m512i factors = _mm512_loadu_si512(weights);
                for (int k = 0; k < pixels; ++k) {
                    const __m512i quad = _mm512_set1_epi32(word_at(in + k * stride + offset));
                    sums[k] = _mm512_dpbusd_epi32(sums[k], quad, factors);
                }
                weights += network_channels * depth;
            }
            for (const __m512i& sum : sums) {
                const Ints value = reinterpret_cast<const Ints&>(sum) >> layer.shift;
                if constexpr (is_residual<Out>) {
                    for (int phase = 0; phase < phases; ++phase) {
                        out[phase] = static_cast<std::int16_t>(value[phase]);
                    }
                    out += phases;
                } else {
                    const Ints positive = value < 0 ? 0 : value;
                    const auto bytes =
                        __builtin_convertvector(positive > 255 ? 255 : positive, Bytes);
                    std::memcpy(out, &bytes, sizeof bytes);
                    out += network_channels;
                }
            }
        }
    }

  private:
    using Ints [[gnu::vector_size(64), gnu::may_alias]] = std::int32_t;
    using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
};

#endif

}  // namespace upscale
