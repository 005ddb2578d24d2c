// The method `learned`: every variant against the oracle, bit for bit, with the default network and
// with random ones; the oracle against values computed by hand; files with weights.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <list>

#include "common/error.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/network.hpp"
#include "problem/oracle.hpp"
#include "quality.hpp"
#include "variant_call.hpp"

namespace {

using harness::Case;
using harness::Random;
using upscale::Filter;
using upscale::Method;
using upscale::Network;
using upscale::network_layers;
using upscale::Variant;

std::vector<std::string> learned_names() {
    std::vector<std::string> result;
    for (const Variant& variant : upscale::variants()) {
        if (variant.learned) result.push_back(variant.name);
    }
    return result;
}

cv::Mat seeded_noise(int width, int height, int channels, std::uint64_t seed = 1) {
    return harness::make_scene("random", width, height, channels, seed);
}

/// Weights of both signs up to the largest, and biases that use the whole range of activations.
Network random_network(std::uint64_t seed) {
    const cv::Mat bytes = seeded_noise(network_layers * 16, 160, 1, seed + 1000);
    Network network;
    for (int l = 0; l < network_layers; ++l) {
        upscale::Layer& layer = network.layers[l];
        layer.shift = 7 + static_cast<int>((seed + static_cast<std::uint64_t>(l)) % 3);
        for (int o = 0; o < Network::outputs(l); ++o) {
            for (int tap = 0; tap < upscale::network_taps; ++tap) {
                for (int i = 0; i < Network::inputs(l); ++i) {
                    const int value = bytes.at<uchar>(tap * 16 + i, l * 16 + o) - 128;
                    layer.weights[o][tap][i] = static_cast<std::int8_t>(std::max(value, -127));
                }
            }
            layer.bias[o] = (bytes.at<uchar>(150, l * 16 + o) - 128) << layer.shift;
        }
    }
    return network;
}

class LearnedTest : public harness::VariantTest {
  protected:
    const Variant& variant_ = harness::variant_named(upscale::variants(), GetParam());
    std::list<Network> networks_{};  ///< of calls that are made when the test is over
    LearnedTest() : VariantTest(harness::variant_named(upscale::variants(), GetParam())) {}

    void expect_right(const cv::Mat& image, const Network* network = nullptr,
                      common::RunOptions run = {.threads = 2, .block = {}}) {
        const Filter filter{.method = Method::learned, .network = network};
        const harness::Job job = upscale::job_for(variant_, filter.options(run));
        VariantTest::expect_right(
            variant_call_for(variant_, job, image, filter, filter.parameters()));
    }
};

TEST_P(LearnedTest, races) {
    expect_no_races(LAB_RACES);
}

TEST_P(LearnedTest, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        if (size.area() > 100'000) continue;
        for (const int channels : {1, 3}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(seeded_noise(size.width, size.height, channels)));
        }
    }
}

/// One pixel more and one less than the tiles of variants.
TEST_P(LearnedTest, thresholds) {
    for (const int width : {15, 16, 17, 55, 56, 57, 63, 64, 65, 111, 112, 113}) {
        for (const int height : {1, 31, 32, 33}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(seeded_noise(width, height, 3)));
        }
    }
    for (const int height : {35, 36, 37, 63, 64, 65, 72, 73}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(seeded_noise(7, height, 1)));
    }
}

TEST_P(LearnedTest, networks) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Network& network = networks_.emplace_back(random_network(seed));
        ASSERT_NO_FATAL_FAILURE(expect_right(seeded_noise(37, 29, 3, seed), &network));
        ASSERT_NO_FATAL_FAILURE(expect_right(seeded_noise(70, 3, 1, seed), &network));
    }
}

TEST_P(LearnedTest, scenes_and_threads) {
    for (const std::string_view scene : harness::scene_names()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(harness::make_scene(scene, 80, 45, 3))) << scene;
    }
    for (const int threads : {1, 3, 7}) {
        ASSERT_NO_FATAL_FAILURE(
            expect_right(seeded_noise(131, 77, 3), nullptr, {.threads = threads, .block = {}}));
    }
}

TEST_P(LearnedTest, random) {
    const auto parameters = harness::joined(
        {harness::size_parameters(40'000, 2'000),
         {harness::one_of("channels", {1, 3})},
         harness::content_parameters(),
         {{"network", 0, [](Random& random, const Case&) { return random.between(0, 99); }}},
         harness::launch_parameters(variant_)});
    Network network;
    expect_right_at_random(
        {parameters, [&](const Case& chosen) {
             Filter filter{.method = Method::learned};
             if (chosen["network"] > 0) {  // 0 is the default one
                 network = random_network(static_cast<std::uint64_t>(chosen["network"]));
                 filter.network = &network;
             }
             const common::RunOptions run = harness::run_options(chosen);
             return variant_call_for(variant_, upscale::job_for(variant_, filter.options(run)),
                                     harness::bytes_of(chosen, chosen.number("channels")), filter,
                                     harness::to_text(parameters, chosen));
         }});
}

INSTANTIATE_TEST_SUITE_P(variants, LearnedTest, testing::ValuesIn(learned_names()),
                         [](const auto& test) { return test.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LearnedTest);

// ---- the oracle -----------------------------------------------------------------------------

TEST(LearnedOracle, without_weights_it_is_bicubic) {
    const cv::Mat image = seeded_noise(41, 23, 3);
    cv::Mat wanted;
    upscale::weighted_means(image, bicubic).convertTo(wanted, CV_8U, 1, 0);
    const cv::Mat found = upscale::learned(image, Network{});
    cv::Mat ties = upscale::weighted_means(image, bicubic) * 2;  // halves: rounded up, or to even
    for (int i = 0; i < found.rows * found.cols * 3; ++i) {
        const double twice = ties.ptr<double>()[i];
        const bool tie = std::floor(twice) == twice && std::fmod(twice, 2) != 0;
        EXPECT_LE(std::abs(found.data[i] - wanted.data[i]), tie ? 1 : 0) << i;
    }
}

/// A network that shifts the image: every layer copies the pixel to its left. Output phase p is (p
/// + 1) / 8 of the result.
Network moving_network() {
    Network network;
    for (int l = 0; l < network_layers; ++l) {
        network.layers[l].shift = 6;
        network.layers[l].weights[l == 0 ? 3 : 5][3][l == 0 ? 0 : l == 1 ? 3 : 5] = 64;
    }
    upscale::Layer& last = network.layers[network_layers - 1];
    last.weights[5][3][5] = 0;
    for (int phase = 0; phase < upscale::phases; ++phase) {
        last.weights[phase][3][5] = static_cast<std::int8_t>(16 * (phase + 1));
    }
    return network;
}

TEST(LearnedOracle, of_a_network_that_can_be_computed_by_hand) {
    cv::Mat image(1, 32, CV_8UC3, cv::Scalar(10, 10, 10));
    image.at<cv::Vec3b>(0, 4) = {50, 110, 200};
    const int bright = (29 * 50 + 150 * 110 + 77 * 200 + 128) >> 8;
    const cv::Mat found = upscale::learned(image, moving_network());
    for (int Y = 0; Y < 2; ++Y) {
        for (int X = 16; X < 64; ++X) {
            const int from = X / 2 - network_layers == 4 ? bright : 10;
            const int eighths = (from * 16 * (2 * Y + X % 2 + 1) + 32) >> 6;
            EXPECT_EQ(found.at<cv::Vec3b>(Y, X)[1], (80 + eighths + 4) / 8) << X << ' ' << Y;
        }
    }
}

TEST(LearnedOracle, luma_is_the_same_for_pixels_and_planes) {
    EXPECT_EQ(upscale::luma(std::array<std::uint8_t, 3>{255, 255, 255}.data(), 3), 255);
    EXPECT_EQ(upscale::luma(std::array<std::uint8_t, 3>{0, 0, 0}.data(), 3), 0);
    EXPECT_EQ(upscale::luma(std::array<std::uint8_t, 3>{0, 0, 255}.data(), 3), 77);  // red
    EXPECT_EQ(upscale::luma(std::array<std::uint8_t, 3>{7, 9, 9}.data(), 1), 7);
}

/// The default network restores a synthetic picture, which it was not trained with, better than
/// bicubic interpolation does.
TEST(LearnedQuality, is_better_than_bicubic) {
    const cv::Mat original = harness::make_scene("landscape", 320, 212, 3);
    const cv::Mat small = upscale::halved(original);
    cv::Mat base;
    upscale::weighted_means(small, bicubic).convertTo(base, CV_8U);
    const cv::Mat found = upscale::learned(small, upscale::default_network());
    EXPECT_GT(upscale::psnr(original, found), upscale::psnr(original, base) + 0.2);
    EXPECT_GT(upscale::ssim(original, found), upscale::ssim(original, base));
}

// ---- files ----------------------------------------------------------------------------------

std::string file_of(const Network& network) {
    std::string text =
        fmt::format("learned upscaling by 2, version 1\nlayers {}\n", network_layers);
    for (int l = 0; l < network_layers; ++l) {
        const upscale::Layer& layer = network.layers[l];
        text += fmt::format("layer {} {} shift {}\n", Network::inputs(l), Network::outputs(l),
                            layer.shift);
        for (int o = 0; o < Network::outputs(l); ++o) {
            text += fmt::format("bias {}\n", layer.bias[o]);
            for (int i = 0; i < Network::inputs(l); ++i) {
                for (const auto& tap : layer.weights[o]) text += fmt::format("{} ", tap[i]);
                text += '\n';
            }
        }
    }
    return text;
}

TEST(NetworkFile, comes_back_as_it_was_written) {
    const Network network = random_network(3);
    const Network read = upscale::parse_network(file_of(network), "x");
    EXPECT_EQ(std::memcmp(&network, &read, sizeof network), 0);
}

void expect_refused(const std::string& text, const std::string& why) {
    try {
        upscale::parse_network(text, "weights.txt");
        ADD_FAILURE() << "accepted; expected " << why;
    } catch (const common::BadUsage& error) {
        const std::string what = error.what();
        EXPECT_TRUE(what.starts_with("weights.txt: line ")) << what;
        EXPECT_NE(what.find(why), std::string::npos) << what;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
}

TEST(NetworkFile, what_is_wrong_is_said_in_a_line) {
    const std::string good = file_of(random_network(3));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        return text.replace(text.find(from), from.size(), to);
    };
    expect_refused("", "learned upscaling");
    expect_refused("\x89PNG\r\n", "learned upscaling");
    expect_refused(with("version 1", "version 2"), "learned upscaling");
    expect_refused(with("layers", "layer"), "expected \"layers\"");
    expect_refused(with("layer 1 16", "layer 3 16"), "expected \"1\", found \"3\"");
    expect_refused(with("bias", "bias 1e9"), "bias \"1e9\"");
    expect_refused(with("bias", "bias 99999999999999999999"), "expected -8388608 to 8388608");
    expect_refused(with("shift ", "shift -"), "shift");
    expect_refused(with("\n", "\nlayers x "), "found \"x\"");
    expect_refused(good + "7", "expected the end");
    expect_refused(good.substr(0, good.size() / 2), "ends too early");
    expect_refused(good.substr(0, good.rfind(' ', good.size() - 4)), "ends too early");
    Network large = random_network(3);
    large.layers[network_layers - 1].shift = 1;
    expect_refused(file_of(large), "sums up to");
}

}  // namespace
