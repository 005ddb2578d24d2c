// The decomposition of a mask for the best variants: the product of its parts must be the mask.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "expert/simd_separable/l1_cache.hpp"
#include "expert/simd_separable/pixels.hpp"
#include "ladder/parts/separable.hpp"
#include "problem/mask.hpp"

namespace {

using convolution::decompose;
using convolution::Decomposition;
using convolution::find_filter;
using convolution::Mask;
using convolution::Reciprocal;

Mask with(int size, const std::vector<float>& weights) {
    Mask mask{size, {}};
    std::copy(weights.begin(), weights.end(), mask.weights);
    return mask;
}

/// Integers from 2 on over 113, none of which is a float.
Mask over_113() {
    Mask mask{3, {2, 7, 13, 5, 59, 11, 3, 8, 5}};
    for (float& weight : mask.weights) weight /= 113;
    return mask;
}

std::vector<std::pair<std::string, Mask>> masks() {
    std::vector<std::pair<std::string, Mask>> all;
    for (const std::string_view name : convolution::filter_names()) {
        all.emplace_back(name, find_filter(name));
    }
    for (int size = 1; size <= Mask::max_size; size += 2) {
        all.emplace_back("gaussian" + std::to_string(size), convolution::gaussian_mask(size));
    }
    all.emplace_back("irregular", convolution::irregular_mask(5));
    all.emplace_back("over 113", over_113());
    all.emplace_back("zeros", Mask{3, {}});
    all.emplace_back("large integers", with(3, {0, 0, 0, 0, 300, 0, 0, 0, 0}));
    all.emplace_back("small and large", with(3, {1e-6f, 0, 0, 0, 1, 0, 0, 0, 1e-6f}));
    return all;
}

TEST(Decomposition, weights_are_those_of_the_mask) {
    for (const auto& [name, mask] : masks()) {
        const Decomposition result = decompose(mask);
        ASSERT_EQ(result.size, mask.size) << name;
        for (int i = 0; i < mask.size * mask.size; ++i) {
            const double integer = result.weights[i];
            const double weight =
                result.divisor != 0 ? integer / result.divisor : integer * result.scale;
            EXPECT_EQ(static_cast<float>(weight), mask.weights[i]) << name << ' ' << i;
        }
    }
}

TEST(Decomposition, column_times_row_and_centre_are_the_weights) {
    for (const auto& [name, mask] : masks()) {
        const Decomposition result = decompose(mask);
        if (!result.separable) continue;
        for (int i = 0; i < result.size; ++i) {
            for (int j = 0; j < result.size; ++j) {
                const bool middle = i == result.size / 2 && j == result.size / 2;
                const double weight = result.weights[i * result.size + j];
                EXPECT_NEAR(double{result.column[i]} * result.row[j] + (middle ? result.centre : 0),
                            weight, 1e-5 * std::abs(weight))
                    << name << ' ' << i << ' ' << j;
            }
        }
    }
}

TEST(Decomposition, sums_of_16_bits_do_not_overflow) {
    for (const auto& [name, mask] : masks()) {
        const Decomposition result = decompose(mask);
        if (!result.in_16_bits) continue;
        double brightest = result.bias;
        double darkest = result.bias;
        for (int i = 0; i < result.size * result.size; ++i) {
            const double weight = result.weights[i];
            EXPECT_EQ(weight, std::round(weight)) << name;
            (weight > 0 ? brightest : darkest) += 255 * weight;
        }
        EXPECT_LE(brightest, 65535) << name;
        EXPECT_GE(darkest, 0) << name;
        EXPECT_EQ(result.centre, 0) << name;
    }
}

TEST(Decomposition, finds_the_structure_of_the_built_in_filters) {
    const Decomposition gauss = decompose(find_filter("gauss5"));
    EXPECT_TRUE(gauss.in_16_bits && gauss.separable);
    EXPECT_EQ(gauss.shift, 8);
    const Decomposition box = decompose(find_filter("box5"));
    EXPECT_TRUE(box.in_16_bits && box.separable);
    EXPECT_EQ(box.shift, -1);  // a 25th is no power of two
    EXPECT_EQ(box.divisor, 25);
    const Decomposition fractions = decompose(over_113());
    EXPECT_TRUE(fractions.in_16_bits);
    EXPECT_EQ(fractions.divisor, 113);
    const Decomposition unsharp = decompose(find_filter("unsharp5"));
    EXPECT_TRUE(unsharp.separable);
    EXPECT_EQ(unsharp.centre, 2);
    EXPECT_FALSE(decompose(find_filter("sharpen")).separable);
}

/// A mask of one weight is multiplied once, so its scale times its integer has to be exactly that
/// weight.
TEST(Decomposition, of_one_weight_has_the_weight_as_its_scale) {
    const Decomposition result = decompose(with(1, {0.3f}));
    EXPECT_EQ(result.scale * result.weights[0], 0.3f);
    EXPECT_EQ(std::abs(result.weights[0]), 1);
}

/// Exhaustive: every divisor of a box mask up to 15x15 and of integer weights, with every sum that
/// can occur.
TEST(Reciprocal, divides_all_sums_exactly) {
    int divisors = 0;
    for (int divisor = 2; divisor <= 257; ++divisor) {
        const int largest = 255 * divisor;
        const Reciprocal reciprocal(divisor, largest);
        const bool box = divisor == 9 || divisor == 25 || divisor == 49 || divisor == 81 ||
                         divisor == 121 || divisor == 169 || divisor == 225;
        if (reciprocal.factor == 0) {
            ASSERT_FALSE(box) << divisor;
            continue;
        }
        ++divisors;
        ASSERT_LE(reciprocal.factor, 65535);
        for (int sum = 0; sum <= largest; ++sum) {
            ASSERT_EQ((sum * std::int64_t{reciprocal.factor} >> 16) >> reciprocal.shift,
                      sum / divisor)
                << sum << " / " << divisor;
        }
    }
    EXPECT_GT(divisors, 200);
}

/// The definition multiplies the sum by 1/9 (or 1/25) in float and truncates. The integer division
/// has to give the same.
TEST(Reciprocal, agrees_with_the_float_product_of_the_boxes) {
    for (const int divisor : {9, 25}) {
        const Reciprocal reciprocal(divisor, 255 * divisor);
        const float scale = 1.0f / static_cast<float>(divisor);
        for (int sum = 0; sum <= 255 * divisor; ++sum) {
            ASSERT_EQ((sum * reciprocal.factor >> 16) >> reciprocal.shift,
                      static_cast<int>(static_cast<float>(sum) * scale))
                << sum << " / " << divisor;
        }
    }
}

/// The rows of a tile that rows_in_l1 chooses for a 3x3 mask and two images of this pitch, which
/// begin at multiples of 4 KB.
int rows_of_tile(std::ptrdiff_t pitch, int ways) {
    alignas(4096) static std::uint8_t bytes[2][64 * 8192];
    const int width = static_cast<int>(pitch / 3);
    return convolution::rows_in_l1({bytes[0], width, 64, 3, pitch}, {bytes[1], width, 64, 3, pitch},
                                   3, 32, ways);
}

TEST(StripTiles, have_fewer_rows_where_rows_share_sets_of_the_l1_cache) {
    EXPECT_EQ(rows_of_tile(1920 * 3, 12), 32);
    EXPECT_EQ(rows_of_tile(1376 * 3, 12), 32);
    EXPECT_EQ(rows_of_tile(1792 * 3, 12), 16);
    EXPECT_EQ(rows_of_tile(1024 * 3, 12), 16);
    EXPECT_EQ(rows_of_tile(2048 * 3, 12), 8);
    EXPECT_EQ(rows_of_tile(1366 * 3, 12), 4);
    EXPECT_EQ(rows_of_tile(1024 * 3, 8), 8);
}

}  // namespace
