// Weights in base 256, and the matrices that cuda_best makes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "expert/parts/base256.hpp"
#include "expert/tensor_cores/matrices.hpp"
#include "masks.hpp"
#include "problem/mask.hpp"

namespace {

using convolution::Base256;
using convolution::find_filter;
using convolution::in_base_256;
using convolution::Mask;
using convolution::scaled_weights;
using convolution::Scaling;

double weight_of(const Base256& weights, int i, int j) {
    double sum = 0;
    for (int d = weights.digits - 1; d >= 0; --d) sum = 256 * sum + weights.at(d, i, j);
    return sum * weights.scale;
}

void expect_weights(const Mask& mask, const Base256& weights, double tolerance) {
    for (int i = 0; i < mask.size; ++i) {
        for (int j = 0; j < mask.size; ++j) {
            EXPECT_NEAR(weight_of(weights, i, j), mask.at(i, j),
                        tolerance * std::abs(mask.at(i, j)))
                << i << ' ' << j;
        }
    }
}

TEST(Base256, are_exactly_the_weights_of_the_built_in_filters) {
    for (const std::string_view name : convolution::filter_names()) {
        SCOPED_TRACE(std::string(name));
        const Mask mask = find_filter(name);
        const std::optional<Base256> weights = in_base_256(mask);
        ASSERT_TRUE(weights);
        EXPECT_EQ(weights->digits, name == "unsharp5" ? 2 : 1);
        expect_weights(mask, *weights, 0);
    }
}

TEST(Base256, of_other_weights_are_inside_the_bound_of_the_definition) {
    for (const int size : {3, 5}) {
        const Mask mask = irregular_mask(size);
        const std::optional<Base256> weights = in_base_256(mask);
        ASSERT_TRUE(weights) << size;
        EXPECT_EQ(weights->digits, 3);
        expect_weights(mask, *weights, size * size * 0x1p-24);
    }
}

TEST(Base256, are_not_made_of_weights_that_they_cannot_hold) {
    Mask mask = irregular_mask(5);
    mask.weights[3] = 1e-6f;  // beside others of 0.08
    EXPECT_FALSE(in_base_256(mask));
    mask.weights[3] = 1e6f;
    EXPECT_FALSE(in_base_256(mask));
    EXPECT_FALSE(in_base_256(Mask{3, {}}));
    Mask exact{3, {}};  // sums are exact, so rounding to three digits would not do
    exact.weights[0] = 150;
    exact.weights[1] = 1.0f / 256;
    EXPECT_FALSE(in_base_256(exact));
}

/// The contribution of one input byte of the window (of value 1, all others 0) to one output byte,
/// as the matrices have it.
int entry(const std::vector<convolution::LaneWeights>& matrices, int row, int window, int output) {
    const int lane = output / 2 * 4 + window / 8;
    const int word = window / 4 % 2 * 2 + output % 2;
    const unsigned bytes = matrices[static_cast<std::size_t>(row * 32 + lane)].words[word];
    return static_cast<std::int8_t>(bytes >> 8 * (window % 4) & 255);
}

TEST(Matrices, are_the_rows_of_the_mask_moved_to_each_byte) {
    for (const int size : {1, 3, 5}) {
        const std::optional<Base256> weights = in_base_256(asymmetric_mask(size));
        ASSERT_TRUE(weights);
        for (const int channels : {1, 3}) {
            const auto matrices = convolution::matrices_of(*weights, channels);
            const int rows = convolution::kernel_rows(size);
            for (int row = 0; row < rows; ++row) {
                for (int cell = 0; cell < 16 * 32; ++cell) {
                    const int distance = cell % 32 - 8 - cell / 32;
                    const int i = row - rows / 2 + size / 2;
                    const int j = distance / channels + size / 2;
                    const bool in_mask =
                        distance % channels == 0 && 0 <= i && i < size && 0 <= j && j < size;
                    ASSERT_EQ(entry(matrices, row, cell % 32, cell / 32),
                              in_mask ? weights->at(0, i, j) : 0)
                        << size << ' ' << channels << ' ' << row << ' ' << cell;
                }
            }
        }
    }
}

/// The same for tiles: the contribution of one input pixel of the window to one output pixel of the
/// tile.
int tile_entry(const Base256& weights, int window, int pixel) {
    const auto matrices = convolution::tile_matrices_of(weights);
    const int row = window / 8;
    const int column = window % 8;
    const int lane = pixel / 2 * 4 + row % 4;
    const int word = column / 4 * 2 + pixel % 2;
    const unsigned bytes =
        matrices[static_cast<std::size_t>(row / 4 * weights.digits * 32 + lane)].words[word];
    return static_cast<std::int8_t>(bytes >> 8 * (column % 4) & 255);
}

TEST(Matrices, of_tiles_are_the_mask_moved_to_each_pixel) {
    const std::optional<Base256> weights = in_base_256(asymmetric_mask(5));
    ASSERT_TRUE(weights);
    for (int pixel = 0; pixel < 16; ++pixel) {
        for (int window = 0; window < 64; ++window) {
            const int i = window / 8 - pixel / 4;
            const int j = window % 8 - pixel % 4;
            const bool in_mask = 0 <= i && i < 5 && 0 <= j && j < 5;
            ASSERT_EQ(tile_entry(*weights, window, pixel), in_mask ? weights->at(0, i, j) : 0)
                << pixel << ' ' << window;
        }
    }
}

TEST(Matrices, of_a_mask_that_sharpens_have_one_row_of_higher_digits) {
    EXPECT_TRUE(convolution::sharpens(*scaled_weights(find_filter("unsharp5"))));
    EXPECT_FALSE(convolution::sharpens(*scaled_weights(irregular_mask(5))));
}

TEST(ScaledWeights, are_chosen_by_the_mask) {
    const auto scaling_of = [](const Mask& mask) { return scaled_weights(mask)->scale.scaling; };
    EXPECT_EQ(scaling_of(find_filter("gauss3")), Scaling::byte);
    EXPECT_EQ(scaling_of(find_filter("gauss5")), Scaling::byte);
    EXPECT_EQ(scaling_of(find_filter("box3")), Scaling::reciprocal);
    EXPECT_EQ(scaling_of(find_filter("box5")), Scaling::reciprocal);
    EXPECT_EQ(scaling_of(find_filter("identity")), Scaling::whole);
    EXPECT_EQ(scaling_of(find_filter("sharpen")), Scaling::whole);
    EXPECT_EQ(scaling_of(find_filter("unsharp5")), Scaling::digit);
    EXPECT_EQ(scaling_of(irregular_mask(3)), Scaling::shift);

    Mask thirds{3, {}};  // of more than the pixel, so values need clamping
    std::fill_n(thirds.weights, 9, 1.0f / 3);
    EXPECT_EQ(scaled_weights(thirds)->weights.digits, 3);
    thirds.weights[4] = -1.0f / 3;
    EXPECT_EQ(scaled_weights(thirds)->weights.digits, 3);
    Mask tiny{3, {}};
    tiny.weights[0] = 0x1p-60f;
    EXPECT_NO_THROW(scaled_weights(tiny));
}

TEST(ScaledWeights, reciprocals_divide_all_sums_of_an_average) {
    for (int divisor = 3; divisor <= 256; ++divisor) {
        Mask mask{3, {}};
        mask.weights[0] = 1.0f / static_cast<float>(divisor);
        mask.weights[1] = 2.0f / static_cast<float>(divisor);
        const auto scaled = scaled_weights(mask);
        ASSERT_TRUE(scaled) << divisor;
        if (scaled->scale.scaling != Scaling::reciprocal) continue;  // a power of two
        const auto of_mask = static_cast<unsigned>(scaled->weights.divisor);
        for (unsigned sum = 0; sum <= 255 * of_mask; ++sum) {
            ASSERT_EQ(sum * scaled->scale.factor >> 24, sum / of_mask) << divisor << ' ' << sum;
        }
    }
}

}  // namespace
