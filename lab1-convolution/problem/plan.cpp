#include "plan.hpp"

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

/// Fills in what concerns integers, if the weights are `scale` times small ones.
bool take_as_integers(const Mask& mask, double scale, Plan& plan) {
    double positive = 0;
    double negative = 0;
    float* integer = plan.weights;
    for (const double weight : weights_of(mask)) {
        const double quotient = std::nearbyint(weight / scale);
        if (!(std::abs(quotient) <= 65535) || quotient * scale != weight) return false;
        (quotient < 0 ? negative : positive) += std::abs(quotient);
        *integer++ = static_cast<float>(quotient);
    }
    if (255 * (positive + negative) > 65535) return false;
    plan.in_16_bits = true;
    plan.scale = static_cast<float>(scale);
    plan.bias = static_cast<int>(255 * negative);
    return true;
}

/// Integers with the largest scale that will do: a power of two, for which a shift undoes it, or
/// the smallest weight, as in masks whose weights are all equal.
bool find_integers(const Mask& mask, Plan& plan) {
    for (int shift = 0; shift <= 8; ++shift) {
        if (!take_as_integers(mask, std::ldexp(1.0, -shift), plan)) continue;
        plan.shift = shift;
        return true;
    }
    double smallest = 0;
    for (const double weight : weights_of(mask)) {
        const double magnitude = std::abs(weight);
        if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
    }
    return smallest > 0 && take_as_integers(mask, smallest, plan);
}

/// Where the largest weight stands.
int pivot_of(const Plan& plan) {
    const float* end = plan.weights + plan.size * plan.size;
    const auto smaller = [](float a, float b) { return std::abs(a) < std::abs(b); };
    return static_cast<int>(std::max_element(plan.weights, end, smaller) - plan.weights);
}

/// Whether column times row is what `weights` says, up to a relative `tolerance`.
bool factors_agree(const Plan& plan, double tolerance) {
    for (int i = 0; i < plan.size; ++i) {
        for (int j = 0; j < plan.size; ++j) {
            const double weight = plan.weights[i * plan.size + j];
            const double product = static_cast<double>(plan.column[i]) * plan.row[j];
            if (!(std::abs(product - weight) <= tolerance * std::abs(weight))) return false;
        }
    }
    return true;
}

/// Factors of integers that are integers themselves. If there are any, then the pivot's row without
/// its common divisor is one of them.
bool find_integer_factors(Plan& plan) {
    const int n = plan.size;
    const int pivot = pivot_of(plan);
    const float* pivot_row = plan.weights + pivot / n * n;
    int divisor = 0;
    for (int j = 0; j < n; ++j) divisor = std::gcd(divisor, static_cast<int>(pivot_row[j]));
    if (divisor == 0) return true;  // no weight but zeros: and so are the factors
    for (int j = 0; j < n; ++j) plan.row[j] = pivot_row[j] / static_cast<float>(divisor);
    for (int i = 0; i < n; ++i) {
        plan.column[i] = std::round(plan.weights[i * n + pivot % n] / plan.row[pivot % n]);
    }
    return factors_agree(plan, 0);
}

/// Factors and a centre for sums that are exact in float, such that they stay exact: in units of
/// 2^-8 all are integers, and no sum of their products exceeds what a float holds.
bool find_exact_factors(Plan& plan) {
    const int n = plan.size;
    const int k = n / 2;
    const auto integer = [&](int i, int j) {
        return static_cast<int>(256 * plan.weights[i * n + j]);
    };
    int pivot_row = k;
    int pivot_column = k;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            if (i == k || j == k || integer(i, j) == 0) continue;
            pivot_row = i;  // any that has nothing to do with the centre
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
    plan.centre = static_cast<float>(centre) / 256;
    std::copy_n(row, n, plan.row);
    for (int i = 0; i < n; ++i) plan.column[i] = static_cast<float>(column[i]) / 256;
    return true;
}

/// Factors of floats. A sum over the column of sums over the row loses 2n roundings, and the bound
/// of the definition allows n*n; the rest, less one for terms of second order, is left to the
/// factors.
bool find_float_factors(Plan& plan) {
    const int n = plan.size;
    const int pivot = pivot_of(plan);
    const float* pivot_row = plan.weights + pivot / n * n;
    if (pivot_row[pivot % n] == 0) return false;
    for (int j = 0; j < n; ++j) plan.row[j] = pivot_row[j] / pivot_row[pivot % n];
    for (int i = 0; i < n; ++i) plan.column[i] = plan.weights[i * n + pivot % n];
    return factors_agree(plan, (n * n - 2 * n - 1) * 0x1p-24);
}

}  // namespace

Plan plan_for(const Mask& mask) {
    Plan plan{.size = mask.size};
    if (find_integers(mask, plan)) {
        plan.separable = find_integer_factors(plan);
    } else {
        std::ranges::copy(weights_of(mask), plan.weights);
        plan.separable = sums_are_exact(mask) ? find_exact_factors(plan) : find_float_factors(plan);
    }
    return plan;
}

Plan plan_with_centre(const Mask& mask) {
    const Plan plan = plan_for(mask);
    // 255 times the centre and 2^16 / 2^2 from the sums have to fit into 16 bits with a sign.
    constexpr float largest = 64;
    const bool suits = plan.centre != 0 && plan.centre == std::trunc(plan.centre) &&
                       std::abs(plan.centre) <= largest;
    if (plan.in_16_bits || !suits) return plan;
    Mask rest = mask;
    rest.weights[mask.size * mask.size / 2] -= plan.centre;
    Plan sums = plan_for(rest);
    if (!sums.in_16_bits || !sums.separable || sums.shift < 2) return plan;
    // What is added to the sums has to disappear in the shift without remainder.
    const int unit = 1 << sums.shift;
    sums.bias = (sums.bias + unit - 1) / unit * unit;
    float brightest = static_cast<float>(sums.bias);
    for (const float weight : sums.weights) brightest += 255 * std::max(weight, 0.0f);
    if (brightest > 65535) return plan;
    sums.centre = plan.centre;
    return sums;
}

}  // namespace convolution
