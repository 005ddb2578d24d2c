#include "separable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

namespace convolution {
namespace {

std::span<const float> weights_of(const Mask& mask) {
    return {mask.weights, static_cast<std::size_t>(mask.size * mask.size)};
}

/// Sets the integer weights, if the weights are integers times `scale`, rounded to floats, and the
/// integers fit 16-bit sums.
bool set_integers(const Mask& mask, double scale, Decomposition& result) {
    double positive = 0;
    double negative = 0;
    float* integer = result.weights;
    for (const float weight : weights_of(mask)) {
        const double quotient = std::nearbyint(weight / scale);
        const bool same = static_cast<float>(quotient * scale) == weight;
        if (!(std::abs(quotient) <= 65535) || !same) return false;
        (quotient < 0 ? negative : positive) += std::abs(quotient);
        *integer++ = static_cast<float>(quotient);
    }
    if (255 * (positive + negative) > 65535) return false;
    result.in_16_bits = true;
    result.scale = static_cast<float>(scale);
    result.bias = static_cast<int>(255 * negative);
    return true;
}

/// Integers with the largest possible scale: a power of two, which a shift undoes; or 1 / divisor,
/// with a smallest integer of 1 to n. Such weights and `scale` are rounded, and so is the product
/// with the sum: three of the n * n roundings that the definition allows. With n = 1, the weight is
/// the scale, and only the product is rounded.
bool find_integers(const Mask& mask, Decomposition& result) {
    for (int shift = 0; shift <= 8; ++shift) {
        if (!set_integers(mask, std::ldexp(1.0, -shift), result)) continue;
        result.shift = shift;
        return true;
    }
    double smallest = 0;
    for (const double weight : weights_of(mask)) {
        const double magnitude = std::abs(weight);
        if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
    }
    for (int integer = 1; smallest > 0 && integer <= mask.size; ++integer) {
        const double divisor = std::nearbyint(integer / smallest);
        if (!(divisor >= 1 && divisor <= 65535)) continue;
        if (!set_integers(mask, 1 / divisor, result)) continue;
        result.divisor = static_cast<int>(divisor);
        return true;
    }
    return smallest > 0 && set_integers(mask, smallest, result);
}

/// The index of the largest weight.
int pivot_of(const Decomposition& result) {
    const float* end = result.weights + result.size * result.size;
    const auto smaller = [](float a, float b) { return std::abs(a) < std::abs(b); };
    return static_cast<int>(std::max_element(result.weights, end, smaller) - result.weights);
}

/// True if column times row are the weights, up to a relative `tolerance`.
bool factors_agree(const Decomposition& result, double tolerance) {
    for (int i = 0; i < result.size; ++i) {
        for (int j = 0; j < result.size; ++j) {
            const double weight = result.weights[i * result.size + j];
            const double product = static_cast<double>(result.column[i]) * result.row[j];
            if (!(std::abs(product - weight) <= tolerance * std::abs(weight))) return false;
        }
    }
    return true;
}

/// Integer factors of integer weights. If there are any, the pivot's row divided by its greatest
/// common divisor is one of them.
bool find_integer_factors(Decomposition& result) {
    const int n = result.size;
    const int pivot = pivot_of(result);
    const float* pivot_row = result.weights + pivot / n * n;
    int divisor = 0;
    for (int j = 0; j < n; ++j) divisor = std::gcd(divisor, static_cast<int>(pivot_row[j]));
    if (divisor == 0) return true;  // all weights are 0, and so are the factors
    for (int j = 0; j < n; ++j) result.row[j] = pivot_row[j] / static_cast<float>(divisor);
    for (int i = 0; i < n; ++i) {
        result.column[i] = std::round(result.weights[i * n + pivot % n] / result.row[pivot % n]);
    }
    return factors_agree(result, 0);
}

/// Factors and a centre that keep exact float sums exact: in units of 2^-8 all are integers, and no
/// sum of their products exceeds 24 bits.
bool find_exact_factors(Decomposition& result) {
    const int n = result.size;
    const int k = n / 2;
    const auto integer = [&](int i, int j) {
        return static_cast<int>(256 * result.weights[i * n + j]);
    };
    int pivot_row = k;
    int pivot_column = k;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            if (i == k || j == k || integer(i, j) == 0) continue;
            pivot_row = i;  // any outside the centre's row and column
            pivot_column = j;
        }
    }
    if (pivot_row == k) return false;
    int divisor = 0;
    for (int j = 0; j < n; ++j) divisor = std::gcd(divisor, integer(pivot_row, j));
    int row[Mask::max_size];
    int column[Mask::max_size];
    for (int j = 0; j < n; ++j) row[j] = integer(pivot_row, j) / divisor;
    for (int i = 0; i < n; ++i) column[i] = integer(i, pivot_column) / row[pivot_column];
    std::int64_t magnitude = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const std::int64_t product = std::int64_t{column[i]} * row[j];
            if ((i != k || j != k) && product != integer(i, j)) return false;
            magnitude += std::abs(product);
        }
    }
    const std::int64_t centre = integer(k, k) - std::int64_t{column[k]} * row[k];
    if (255 * (magnitude + std::abs(centre)) > 1 << 24) return false;
    result.centre = static_cast<float>(centre) / 256;
    std::copy_n(row, n, result.row);
    for (int i = 0; i < n; ++i) result.column[i] = static_cast<float>(column[i]) / 256;
    return true;
}

/// Float factors. Sums over the row and then over the column have 2n roundings, and the bound of
/// the definition allows n*n. The rest, less one for terms of second order, may be the error of the
/// factors.
bool find_float_factors(Decomposition& result) {
    const int n = result.size;
    const int pivot = pivot_of(result);
    const float* pivot_row = result.weights + pivot / n * n;
    if (pivot_row[pivot % n] == 0) return false;
    for (int j = 0; j < n; ++j) result.row[j] = pivot_row[j] / pivot_row[pivot % n];
    for (int i = 0; i < n; ++i) result.column[i] = result.weights[i * n + pivot % n];
    return factors_agree(result, (n * n - 2 * n - 1) * 0x1p-24);
}

}  // namespace

Decomposition decompose(const Mask& mask) {
    Decomposition result{.size = mask.size};
    if (find_integers(mask, result)) {
        result.separable = find_integer_factors(result);
    } else {
        std::ranges::copy(weights_of(mask), result.weights);
        result.separable =
            sums_are_exact(mask) ? find_exact_factors(result) : find_float_factors(result);
    }
    return result;
}

Decomposition decompose_with_centre(const Mask& mask) {
    const Decomposition whole = decompose(mask);
    // 255 times the centre plus 2^16 / 2^2 from the sums has to fit a signed 16-bit integer.
    constexpr float largest = 64;
    const bool suits = whole.centre != 0 && whole.centre == std::trunc(whole.centre) &&
                       std::abs(whole.centre) <= largest;
    if (whole.in_16_bits || !suits) return whole;
    Mask rest = mask;
    rest.weights[mask.size * mask.size / 2] -= whole.centre;
    Decomposition sums = decompose(rest);
    if (!sums.in_16_bits || !sums.separable || sums.shift < 2) return whole;
    // The shift has to divide the bias without remainder.
    const int unit = 1 << sums.shift;
    sums.bias = (sums.bias + unit - 1) / unit * unit;
    float brightest = static_cast<float>(sums.bias);
    for (const float weight : sums.weights) brightest += 255 * std::max(weight, 0.0f);
    if (brightest > 65535) return whole;
    sums.centre = whole.centre;
    return sums;
}

}  // namespace convolution
