// What omp_best gives to the matrix unit of a CPU: matrices that are the mask at 16 places, and, if
// the machine has such a unit, results that are right. (Through omp_best too, but there not with
// the smallest images and not with all numbers of digits.)

#include "expert/simd_separable/matrix_unit.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>

#include "common/instruction_sets.hpp"
#include "exercise.hpp"
#include "harness/scenes.hpp"
#include "harness/testing.hpp"
#include "masks.hpp"

namespace {

using convolution::Digits;
using convolution::Mask;
using convolution::tile_weights_for;
using convolution::TileWeights;

class Tiles : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Tiles, are_the_mask_moved_to_each_place) {
    const auto [size, channels] = GetParam();
    const Mask mask = asymmetric_mask(size);
    const std::optional<Digits> digits = convolution::digits_for(mask);
    const std::optional<TileWeights> tiles = tile_weights_for(mask, channels);
    ASSERT_TRUE(digits && tiles);
    for (int place = 0; place < 16; ++place) {
        for (int place_of_pixel = 0; place_of_pixel < 8 * 16; ++place_of_pixel) {
            const int row = place_of_pixel / 16;
            const int byte = place_of_pixel % 16;
            const int i = row - place / 4;
            const int distance = byte - place % 4;
            const int j = distance / channels;
            const bool in_mask =
                0 <= i && i < size && distance >= 0 && distance % channels == 0 && j < size;
            const auto& matrix = tiles->of[byte / 8][0].weights;
            ASSERT_EQ(matrix[place][4 * (2 * row + byte / 4 % 2) + byte % 4],
                      in_mask ? digits->at(0, i, j) : 0)
                << place << ' ' << row << ' ' << byte;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(sizes, Tiles,
                         testing::Combine(testing::Values(1, 3, 5), testing::Values(1, 3)));

TEST(Tiles, are_not_made_of_masks_that_they_cannot_hold) {
    EXPECT_FALSE(tile_weights_for(asymmetric_mask(7), 1));
    EXPECT_FALSE(tile_weights_for(asymmetric_mask(5), 4));
    EXPECT_FALSE(tile_weights_for(Mask{3, {}}, 3));
}

#if defined(__x86_64__)
std::string judge(const cv::Mat& image, const Mask& mask, const std::string& name) {
    common::VariantInfo info;
    info.name = "matrix_unit";
    const common::Job job{[mask](const cv::Mat& in, cv::Mat& out) {
        convolution::convolve_with_matrix_unit(
            common::view_of<const std::uint8_t>(in), common::view_of<std::uint8_t>(out),
            tile_weights_for(mask, in.channels()).value(), 0, in.rows);
    }};
    return common::judge(exercise_for(info, job, image, mask, name));
}

TEST(MatrixUnit, convolves) {
    if (!common::machine_has(common::InstructionSet::amx)) {
        GTEST_SKIP() << "skipped: this CPU does not have AMX, or the system does not lend it";
    }
    Mask fine{5, {}};  // one digit, but sums of more than 16 bits
    for (int i = 0; i < 25; ++i) fine.weights[i] = static_cast<float>(i * 5 - 60) / 256;
    const std::tuple<const char*, Mask, int> cases[] = {
        {"fine", fine, 1},
        {"unsharp5", convolution::find_filter("unsharp5"), 2},
        {"box5", convolution::find_filter("box5"), 1},
        {"identity", convolution::find_filter("identity"), 1},
        {"irregular3", irregular_mask(3), 3},
        {"irregular5", irregular_mask(5), 3},
    };
    for (const auto& [name, mask, digits] : cases) {
        ASSERT_EQ(tile_weights_for(mask, 3).value().digits, digits) << name;
        for (const cv::Size& size : common::test_sizes()) {
            if (size.area() > 1'000'000) continue;
            for (const int channels : {1, 3}) {
                const cv::Mat image =
                    common::make_scene("random", size.width, size.height, channels);
                ASSERT_EQ(judge(image, mask, name), "");
            }
        }
    }
}
#endif

}  // namespace
