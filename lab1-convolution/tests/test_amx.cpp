// The matrices for AMX are the mask at 16 positions; where the CPU has AMX, the results are right.
// (omp_best uses AMX too, but not for the smallest images and not for all numbers of digits.)

#include "expert/simd_separable/amx.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "common/instruction_sets.hpp"
#include "harness/scenes.hpp"
#include "harness/testing.hpp"
#include "masks.hpp"
#include "variant_call.hpp"

namespace {

using convolution::amx_weights_for;
using convolution::AmxWeights;
using convolution::Base256;
using convolution::Mask;

constexpr std::pair<int, int> sizes_and_channels[] = {{1, 1}, {1, 3}, {3, 1},
                                                      {3, 3}, {5, 1}, {5, 3}};

TEST(AmxWeightMatrices, are_the_mask_at_each_position) {
    for (const auto& [size, channels] : sizes_and_channels) {
        const Mask mask = asymmetric_mask(size);
        const std::optional<Base256> base256 = convolution::in_base_256(mask);
        const std::optional<AmxWeights> amx = amx_weights_for(mask, channels);
        ASSERT_TRUE(base256 && amx);
        for (int position = 0; position < 16; ++position) {
            for (int pixel = 0; pixel < 8 * 16; ++pixel) {
                const int row = pixel / 16;
                const int byte = pixel % 16;
                const int i = row - position / 4;
                const int distance = byte - position % 4;
                const int j = distance / channels;
                const bool in_mask =
                    0 <= i && i < size && distance >= 0 && distance % channels == 0 && j < size;
                const auto& matrix = amx->of[byte / 8][0].weights;
                ASSERT_EQ(matrix[position][4 * (2 * row + byte / 4 % 2) + byte % 4],
                          in_mask ? base256->at(0, i, j) : 0)
                    << position << ' ' << row << ' ' << byte;
            }
        }
    }
}

TEST(AmxWeightMatrices, do_not_exist_for_masks_that_do_not_fit) {
    EXPECT_FALSE(amx_weights_for(asymmetric_mask(7), 1));
    EXPECT_FALSE(amx_weights_for(asymmetric_mask(5), 4));
    EXPECT_FALSE(amx_weights_for(Mask{3, {}}, 3));
}

#if defined(__x86_64__)
std::string message_for(const cv::Mat& image, const Mask& mask, const std::string& name) {
    common::VariantInfo info;
    info.name = "amx";
    const auto make_job = [](const convolution::Options& options) {
        return harness::Job{[mask = options.mask](const cv::Mat& in, cv::Mat& out) {
            convolution::convolve_with_amx(
                harness::view_of<const std::uint8_t>(in), {harness::view_of<std::uint8_t>(out), {}},
                amx_weights_for(mask, in.channels()).value(), 0, in.rows);
        }};
    };
    return harness::check_call(variant_call_for(info, make_job, {{}, mask}, image, name));
}

TEST(Amx, convolves) {
    if (!common::machine_has(common::InstructionSet::amx)) {
        GTEST_SKIP() << "cannot run here: no AMX, or the system does not lend it";
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
        ASSERT_EQ(amx_weights_for(mask, 3).value().digits, digits) << name;
        for (const cv::Size& size : harness::test_sizes()) {
            if (size.area() > 1'000'000) continue;
            for (const int channels : {1, 3}) {
                const cv::Mat image =
                    harness::make_scene("random", size.width, size.height, channels);
                ASSERT_EQ(message_for(image, mask, name), "");
            }
        }
    }
}
#endif

}  // namespace
