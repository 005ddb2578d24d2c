#include "harness/scenes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "common/error.hpp"
#include "harness/job.hpp"
#include "harness/random.hpp"
#include "harness/source.hpp"
#include "images/landscape.hpp"

namespace harness {

using namespace common;
namespace {

using Bgr = cv::Vec3b;

uchar byte(int value) {
    return static_cast<uchar>(std::clamp(value, 0, 255));
}

/// Applies `tone(value)` to every channel.
template <class Tone>
Bgr toned(Bgr pixel, Tone tone) {
    return {byte(tone(pixel[0])), byte(tone(pixel[1])), byte(tone(pixel[2]))};
}

/// Mixes towards `colour`: `part` of 256.
Bgr mixed(Bgr pixel, Bgr colour, int part) {
    Bgr result;
    for (int c = 0; c < 3; ++c) {
        result[c] = byte((pixel[c] * (256 - part) + colour[c] * part) / 256);
    }
    return result;
}

/// A dark version of the picture with the light of two lamps.
Bgr dark_interior(Bgr pixel, int x, int y, int width, int height) {
    int light = 24;
    for (const int lamp : {width / 4, width * 3 / 4}) {
        const auto dx = static_cast<std::int64_t>(x - lamp) * 256 / height;
        const auto dy = static_cast<std::int64_t>(y - height / 3) * 256 / height;
        light += static_cast<int>(90 * 1024 / (1024 + dx * dx + dy * dy));
    }
    return toned(pixel, [light](int v) { return v * light / 256; });
}

Bgr tonal(std::string_view scene, Bgr pixel, int x, int y, int width, int height) {
    if (scene == "low-contrast") return toned(pixel, [](int v) { return 96 + v / 5; });
    if (scene == "dark-interior") return dark_interior(pixel, x, y, width, height);
    if (scene == "overexposed") return toned(pixel, [](int v) { return v * 9 / 8 + 96; });
    if (scene == "underexposed") return toned(pixel, [](int v) { return v * v / 1200; });
    if (scene == "foggy") {  // fog is thicker far away, which is higher up in the picture
        const int fog = 140 + 90 * (height - y) / height;
        return mixed(pixel, {214, 210, 206}, fog);
    }
    return pixel;  // "landscape" itself
}

Bgr simple(std::string_view scene, int x, int y, int width, int height) {
    if (scene == "constant") return {127, 127, 127};
    if (scene == "two-level")
        return (x / 8 + y / 8) % 2 == 0 ? Bgr{64, 64, 64} : Bgr{192, 192, 192};
    if (scene == "checker")
        return (x / 16 + y / 16) % 2 == 0 ? Bgr{32, 32, 32} : Bgr{224, 224, 224};
    const auto ramp = [](int at, int size) {
        return byte(size > 1 ? static_cast<int>(std::int64_t{255} * at / (size - 1)) : 0);
    };
    return {ramp(x, width), ramp(y, height), byte(255 - (ramp(x, width) + ramp(y, height)) / 2)};
}

uchar gray_of(Bgr pixel) {  // 0.114 B + 0.587 G + 0.299 R in 8-bit fixed point
    return byte((29 * pixel[0] + 150 * pixel[1] + 77 * pixel[2] + 128) >> 8);
}

void fill_random(cv::Mat& image, std::uint64_t seed) {
    const int values = image.cols * image.channels();
#pragma omp parallel for
    for (int y = 0; y < image.rows; ++y) {
        auto* row = image.ptr<uchar>(y);
        for (int x = 0; x < values; ++x) {
            const auto index = static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(values) +
                               static_cast<std::uint64_t>(x);
            row[x] = static_cast<uchar>(random_at(seed, index) >> 56);
        }
    }
}

/// Fills row by row with `pixel(x, y)`, converted to gray if the image has one channel.
template <class Pixel>
void fill(cv::Mat& image, Pixel pixel) {
#pragma omp parallel for
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            const Bgr value = pixel(x, y);
            if (image.channels() == 3) {
                image.at<Bgr>(y, x) = value;
            } else {
                image.at<uchar>(y, x) = gray_of(value);
            }
        }
    }
}

constexpr std::array<std::string_view, 5> simple_scenes{"random", "gradient", "checker", "constant",
                                                        "two-level"};

}  // namespace

std::span<const std::string_view> scene_names() {
    static constexpr std::array<std::string_view, 11> names{
        "random",       "gradient",      "checker", "constant",    "two-level",   "landscape",
        "low-contrast", "dark-interior", "foggy",   "overexposed", "underexposed"};
    return names;
}

bool has_seed(std::string_view scene) {
    const auto names = scene_names();
    return scene == "random" || (std::ranges::find(names, scene) != names.end() &&
                                 std::ranges::find(simple_scenes, scene) == simple_scenes.end());
}

cv::Mat make_scene(std::string_view name, int width, int height, int channels, std::uint64_t seed) {
    const auto names = scene_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw BadUsage(
            fmt::format("unknown scene '{}'; there are: {}", name, fmt::join(names, ", ")));
    }
    if (width < 1 || height < 1) {
        throw BadUsage(
            fmt::format("a scene of {}x{} pixels; both must be at least 1", width, height));
    }
    const Shape shape{width, height, CV_8UC(channels)};
    require_host_memory(shape.bytes(), fmt::format("scene {} of {}x{}", name, width, height));
    cv::Mat image(height, width, shape.type);

    if (name == "random") {
        fill_random(image, seed);
    } else if (std::find(simple_scenes.begin(), simple_scenes.end(), name) != simple_scenes.end()) {
        fill(image, [&](int x, int y) { return simple(name, x, y, width, height); });
    } else {
        const Landscape landscape(width, height, seed);
        fill(image,
             [&](int x, int y) { return tonal(name, landscape.pixel(x, y), x, y, width, height); });
    }
    return image;
}

}  // namespace harness
