// The tests themselves, tested: each of these variants has one mistake that students make. It must
// be found, and the message must say what it looks like.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "harness/scenes.hpp"
#include "variant_call.hpp"

namespace {

using common::Block;
using common::ImageView;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr upscale::Filter filter{.radius = 2, .sigma = 0.7};
constexpr Block block{16, 12};

/// The parameters of a mistake. The defaults are those of the right variant.
struct Mistake {
    double even_offset = 0.25;
    double odd_offset = -0.25;
    bool skips_outside = false;
    double rounding = 0.5;
    int missing_halo = 0;                                         ///< source pixels
    std::function<int(int c)> channel = [](int c) { return c; };  ///< 3 is the fourth byte
};

/// The value at a place that a kernel would look up in its tile, whose halo may be too small.
int looked_up(int at, int output, int block_size, int missing_halo, int size) {
    const int first = output / block_size * block_size;
    const int low = first / 2 - filter.radius + missing_halo;
    const int high = (first + block_size - 1) / 2 + filter.radius - missing_halo;
    return std::clamp(std::clamp(at, low, high), 0, size - 1);
}

void upscale(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
             const Mistake& mistake) {
    const auto weight = [&](int phase, int k) {
        const double d = k + (phase == 0 ? mistake.even_offset : mistake.odd_offset);
        return std::exp(-d * d / (2 * filter.sigma * filter.sigma));
    };
    for (int Y = 0; Y < out.height; ++Y) {
        for (int X = 0; X < out.width; ++X) {
            for (int c = 0; c < out.channels; ++c) {
                const int from = in.channels == 3 ? mistake.channel(c) : c;
                double sum = 0;
                double total = 0;
                for (int j = -filter.radius; j <= filter.radius; ++j) {
                    for (int i = -filter.radius; i <= filter.radius; ++i) {
                        const double w = weight(X % 2, i) * weight(Y % 2, j);
                        total += w;
                        const int x = X / 2 + i;
                        const int y = Y / 2 + j;
                        const bool outside = x < 0 || x >= in.width || y < 0 || y >= in.height;
                        if (outside && mistake.skips_outside) continue;
                        const int at_x =
                            looked_up(x, X, block.width, mistake.missing_halo, in.width);
                        const int at_y =
                            looked_up(y, Y, block.height, mistake.missing_halo, in.height);
                        sum += w * (from == 3 ? 255 : in.at(at_x, at_y, from));
                    }
                }
                out.at(X, Y, c) = static_cast<std::uint8_t>(
                    std::clamp(std::floor(sum / total + mistake.rounding), 0.0, 255.0));
            }
        }
    }
}

std::string check_call(const Mistake& mistake, Block reported = block) {
    common::VariantInfo info;
    info.name = "planted";
    const harness::Job job{[mistake](const cv::Mat& in, cv::Mat& out) {
        upscale(harness::view_of<const std::uint8_t>(in), harness::view_of<std::uint8_t>(out),
                mistake);
    }};
    const cv::Mat image = harness::make_scene("random", 53, 38, 3, 4);
    return harness::check_call(variant_call_for(info, job, image, filter, "none", reported));
}

auto is_reported_as(const std::string& cause) {
    return AllOf(StartsWith("WRONG planted on "), HasSubstr(": first wrong value at"),
                 HasSubstr("on 53x38x3 (none)"), HasSubstr("looks like: " + cause),
                 HasSubstr("difference image: "));
}

TEST(PlantedFault, none) {
    EXPECT_EQ(check_call({}), "");
}

TEST(PlantedFault, phase_shifted_by_half_a_pixel) {
    EXPECT_THAT(check_call({.even_offset = 0, .odd_offset = -0.5}),
                is_reported_as("the phase is half an output pixel off"));
}

TEST(PlantedFault, phases_swapped) {
    EXPECT_THAT(check_call({.even_offset = -0.25, .odd_offset = 0.25}),
                is_reported_as("the phases of even and odd pixels are swapped"));
}

TEST(PlantedFault, not_normalised_at_the_border) {
    EXPECT_THAT(check_call({.skips_outside = true}),
                is_reported_as("taps outside the image are skipped, and the sum is not divided"));
}

TEST(PlantedFault, truncation_for_rounding) {
    EXPECT_THAT(check_call({.rounding = 0}), is_reported_as("the mean is truncated"));
}

TEST(PlantedFault, halo_one_too_small) {
    EXPECT_THAT(check_call({.missing_halo = 1}),
                is_reported_as("the halo of a block's tile is one source pixel too small"));
}

TEST(PlantedFault, no_guess_at_a_halo_where_no_pixel_is_inside) {
    EXPECT_THAT(check_call({.missing_halo = 1}, Block{8, 8}),
                AllOf(StartsWith("WRONG planted"), Not(HasSubstr("halo"))));
}

TEST(PlantedFault, alpha_leaks_into_colour) {
    Mistake mistake;
    mistake.channel = [](int c) { return c + 1; };
    EXPECT_THAT(check_call(mistake),
                is_reported_as("the fourth byte of a pixel leaks into a colour"));
}

TEST(PlantedFault, channels_swapped) {
    Mistake mistake;
    mistake.channel = [](int c) { return 2 - c; };
    EXPECT_THAT(check_call(mistake), is_reported_as("the channels are swapped"));
}

}  // namespace
