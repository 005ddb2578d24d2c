#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "ladder/parts/separable.hpp"

// From weighted sums to pixels.

namespace convolution {

using namespace common;  // its vectors

/// Division of 16-bit integers: x / divisor = (x * factor >> 16) >> shift, for 0 <= x <= largest.
struct Reciprocal {
    int factor = 0;  ///< 0 if there is none
    int shift = 0;

    /// Takes the smallest shift: mostly 0, which saves the instruction.
    Reciprocal(int divisor, int largest) {
        if (divisor < 2 || divisor > 65535) return;
        // With factor = (2^k + e) / divisor, x * factor / 2^k exceeds x / divisor, whose distance
        // from the next integer is 1 / divisor or more, by x * e / (divisor * 2^k).
        for (int bits = 0; (2 << bits) <= 2 * divisor; ++bits) {
            const std::int64_t power = std::int64_t{1} << (16 + bits);
            const std::int64_t rounded_up = (power + divisor - 1) / divisor;
            const std::int64_t excess = rounded_up * divisor - power;
            if (rounded_up > 65535) return;
            if (excess * largest >= power) continue;
            factor = static_cast<int>(rounded_up);
            shift = bits;
            return;
        }
    }
};

/// Converts sums to pixels: subtracts the bias, applies the scale, adds the middle pixel
/// `centre` times, clamps to 0..255, and truncates.
template <class Sum>
class ToPixels;

template <>
class ToPixels<float> {
  public:
    explicit ToPixels(const Decomposition& mask) : scale_(mask.scale), centre_(mask.centre) {}

    template <int Bytes>
    ALWAYS_INLINE void store(Vector<float, Bytes>& sum, const std::uint8_t* middle,
                             std::uint8_t* pixels) const {
        using Sums = Vector<float, Bytes>;
        constexpr int count = lanes<Bytes, float>;
        if (centre_ != 0) {
            Sums value;
            load_values(value, middle);
            sum += centre_ * value;
        }
        sum *= scale_;
        sum = sum > 0 ? sum : Sums{};
        sum = sum < 255 ? sum : Sums{} + 255;
        const auto ints = __builtin_convertvector(sum, Vector<std::int32_t, Bytes>);
        const auto words = __builtin_convertvector(ints, Vector<std::uint16_t, Bytes / 2>);
        const auto values = __builtin_convertvector(words, Vector<std::uint8_t, count>);
        std::memcpy(pixels, &values, sizeof values);
    }

  private:
    float scale_;
    float centre_;
};

template <>
class ToPixels<std::uint16_t> {
  public:
    explicit ToPixels(const Decomposition& mask)
        : bias_(static_cast<std::uint16_t>(mask.bias)),
          centre_(static_cast<std::int16_t>(mask.centre)),
          saturates_(mask.shift == 0 && mask.centre == 0 && mask.bias <= 32768 &&
                     largest_sum(mask) <= 32767) {
        if (mask.shift == 0 || (mask.shift > 0 && centre_ != 0)) {
            shift_ = static_cast<std::uint16_t>(mask.shift);
        } else if (mask.shift > 0) {
            factor_ = static_cast<std::uint16_t>(65536 >> mask.shift);
        } else {
            const Reciprocal reciprocal(mask.divisor, largest_sum(mask));
            factor_ = static_cast<std::uint16_t>(reciprocal.factor);
            shift_ = static_cast<std::uint16_t>(reciprocal.shift);
        }
    }

    /// Whether integers give the definition's result for this mask.
    static bool suit(const Decomposition& mask) {
        return mask.in_16_bits &&
               (mask.shift >= 0 || Reciprocal(mask.divisor, largest_sum(mask)).factor != 0);
    }

    template <int Bytes>
    ALWAYS_INLINE void store(Vector<std::uint16_t, Bytes>& sum, const std::uint8_t* middle,
                             std::uint8_t* pixels) const {
        using Sums = Vector<std::uint16_t, Bytes>;
        using Signed = Vector<std::int16_t, Bytes>;
        if (centre_ != 0) {
            sum += bias_;
            Sums value;
            load_values(value, middle);
            const auto shifted_bias = static_cast<std::uint16_t>(bias_ >> shift_);
            sum = (sum >> shift_) - shifted_bias;
            sum += static_cast<std::uint16_t>(centre_) * value;
            auto result = reinterpret_cast<Signed&>(sum);
            result = result > 0 ? result : Signed{};
            sum = reinterpret_cast<Sums&>(result);
            sum = sum < 255 ? sum : Sums{} + 255;
        } else {
            scale<Bytes>(sum);
            sum = sum < 255 ? sum : Sums{} + 255;
        }
        const auto values = __builtin_convertvector(sum, Vector<std::uint8_t, Bytes / 2>);
        std::memcpy(pixels, &values, sizeof values);
    }

    /// The same for sums in the order of `interleave`, without `centre`.
    template <int Bytes>
    ALWAYS_INLINE void store(Vector<std::uint16_t, Bytes>& low, Vector<std::uint16_t, Bytes>& high,
                             std::uint8_t* pixels) const {
        if (saturates_) return store_packed(low, high, pixels);
        scale<Bytes>(low);
        scale<Bytes>(high);
        if (factor_ == 0) {  // otherwise, words are below 32768, as store_packed wants them
            low = low < 255 ? low : Vector<std::uint16_t, Bytes>{} + 255;
            high = high < 255 ? high : Vector<std::uint16_t, Bytes>{} + 255;
        }
        store_packed(low, high, pixels);
    }

    /// Whether `store_scaled` does: one multiplication makes pixels of sums.
    bool only_scales() const { return centre_ == 0 && bias_ == 0 && factor_ != 0 && shift_ == 0; }

    template <int Bytes>
    ALWAYS_INLINE void store_scaled(Vector<std::uint16_t, Bytes>& low,
                                    Vector<std::uint16_t, Bytes>& high,
                                    std::uint8_t* pixels) const {
        multiply_high(low, factor_);
        multiply_high(high, factor_);
        store_packed(low, high, pixels);
    }

  private:
    std::uint16_t bias_;
    std::int16_t centre_;
    std::uint16_t factor_ = 0;
    std::uint16_t shift_ = 0;
    bool saturates_;  ///< sums of 15 bits and a sign, which are pixels but for the limits

    template <int Bytes>
    ALWAYS_INLINE void scale(Vector<std::uint16_t, Bytes>& sum) const {
        using Sums = Vector<std::uint16_t, Bytes>;
        if (bias_ != 0) {
            sum += bias_;
            sum = (sum > bias_ ? sum : Sums{} + bias_) - bias_;
        }
        if (factor_ != 0) multiply_high(sum, factor_);
        if (shift_ != 0) sum >>= shift_;
    }

    static int largest_sum(const Decomposition& mask) {
        int sum = 0;
        for (const float weight : mask.weights) sum += weight > 0 ? static_cast<int>(weight) : 0;
        return 255 * sum;
    }
};

}  // namespace convolution
