#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "problem/separable.hpp"

// SIMD vectors of any size, and the conversions between pixels and sums.

namespace convolution {

using common::ImageView;

/// A SIMD register of so many bytes.
template <class Value, int Bytes>
using Vector [[gnu::vector_size(Bytes)]] = Value;

/// Its SIMD lanes.
template <int Bytes, class Sum>
static constexpr int lanes = Bytes / sizeof(Sum);

// A conversion between two neighbours in this list is one instruction.
template <int Count>
using Pixels = Vector<std::uint8_t, Count>;
template <int Count>
using Words = Vector<std::uint16_t, 2 * Count>;
template <int Count>
using Ints = Vector<std::int32_t, 4 * Count>;
template <int Count>
using Floats = Vector<float, 4 * Count>;

// By reference: how a vector is passed by value depends on the instruction set.
template <class To>
ALWAYS_INLINE inline void load(To& vector, const void* from) {
    std::memcpy(&vector, from, sizeof vector);
}

/// Unpacks bytes [begin, end) of row y to `count` values; zeros outside the image and after them,
/// which add nothing to a sum.
template <int Bytes, class Sum>
ALWAYS_INLINE inline void unpack(ImageView<const std::uint8_t> in, int y, std::ptrdiff_t begin,
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

/// 16-bit sums, shifted, plus `centre` times the source's values in the middle of each window.
template <int Bytes>
ALWAYS_INLINE inline void add_centre(const std::uint16_t* sums, const std::uint16_t* middle,
                                     const Decomposition& mask, int count, std::uint8_t* pixels) {
    constexpr int at_once = lanes<Bytes, std::uint16_t>;
    using Signed = Vector<std::int16_t, Bytes>;
    const auto bias = static_cast<std::uint16_t>(mask.bias);
    const auto centre = static_cast<std::int16_t>(mask.centre);
    const auto excess = static_cast<std::int16_t>(mask.bias >> mask.shift);
    for (int i = 0; i < count; i += at_once) {
        Words<at_once> sum;
        Signed value;
        load(sum, sums + i);
        load(value, middle + i);
        sum = (sum + bias) >> static_cast<std::uint16_t>(mask.shift);
        value = centre * value + (reinterpret_cast<Signed&>(sum) - excess);
        value = value > 0 ? value : Signed{};
        value = value < 255 ? value : Signed{} + 255;
        const auto bytes = __builtin_convertvector(value, Pixels<at_once>);
        std::memcpy(pixels + i, &bytes, sizeof bytes);
    }
}

/// `middle`: the source's value in the middle of each window.
template <int Bytes>
ALWAYS_INLINE inline void to_pixels(const std::uint16_t* sums, const std::uint16_t* middle,
                                    const Decomposition& mask, int count, std::uint8_t* pixels) {
    constexpr int at_once = lanes<Bytes, std::uint16_t>;
    if (mask.centre != 0) return add_centre<Bytes>(sums, middle, mask, count, pixels);
    constexpr int floats_at_once = lanes<Bytes, float>;
    using Sums = Words<at_once>;
    const auto bias = static_cast<std::uint16_t>(mask.bias);
    for (int i = 0; i < count; i += at_once) {
        Sums sum;
        load(sum, sums + i);
        sum += bias;
        sum = (sum > bias ? sum : Sums{} + bias) - bias;
        if (mask.shift < 0) {
            float floats[at_once];
            for (int half = 0; half < at_once; half += floats_at_once) {
                Words<floats_at_once> words;
                load(words, reinterpret_cast<const std::uint16_t*>(&sum) + half);
                const auto ints = __builtin_convertvector(words, Ints<floats_at_once>);
                const auto values = __builtin_convertvector(ints, Floats<floats_at_once>);
                std::memcpy(floats + half, &values, sizeof values);
            }
            to_pixels<Bytes>(floats, mask.scale, at_once, pixels + i);
            continue;
        }
        sum >>= static_cast<std::uint16_t>(mask.shift);
        sum = sum < 255 ? sum : Sums{} + 255;
        const auto values = __builtin_convertvector(sum, Pixels<at_once>);
        std::memcpy(pixels + i, &values, sizeof values);
    }
}

template <int Bytes>
ALWAYS_INLINE inline void to_pixels(const float* sums, const float*, const Decomposition& mask,
                                    int count, std::uint8_t* pixels) {
    to_pixels<Bytes>(sums, mask.scale, count, pixels);
}

}  // namespace convolution
