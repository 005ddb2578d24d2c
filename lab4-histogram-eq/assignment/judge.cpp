// Lab 4 for the judge.

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "harness/scenes.hpp"
#include "judge/judge.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace grading {
namespace {

using equalize::Options;
using Byte = std::uint8_t;

/// The scene with four times the width and height, and noise of one level in a quarter of the
/// pixels, which cannot be predicted. cheat/lab4_samples of tests/submissions tries to do without.
cv::Mat enlarged(const cv::Mat& scene, Secret& secret) {
    cv::Mat image;
    cv::resize(scene, image, {}, 4, 4, cv::INTER_LINEAR);
    cv::Mat noise(image.size(), CV_8UC1);
    fill(noise, secret);
    for (int y = 0; y < image.rows; ++y) {
        Byte* const row = image.ptr(y);
        const Byte* const random = noise.ptr(y);
        for (int x = 0; x < image.cols; ++x) {
            const int level = row[x] + (random[x] < 32) - (random[x] >= 224);
            row[x] = static_cast<Byte>(std::clamp(level, 0, 255));
        }
    }
    return image;
}

}  // namespace

void register_proxy(const std::string& name, bool on_device) {
    const common::VariantInfo info{.name = name, .backend = harness::backend_of(name), .idea = ""};
    if (on_device) {
        equalize::Register{info, device_proxy<Byte, Byte, Options>};
    } else {
        equalize::Register{info, host_proxy<Byte, Byte, Options>};
    }
}

/// A scene of the experiment `images`, with a landscape that is new in each call. Neighbours often
/// have the same level, as in pictures: what a histogram costs depends on it. It is four times as
/// wide and high as in the experiment: a call of less than a millisecond would measure how soon the
/// scheduler wakes its threads.
TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret) {
    const nlohmann::json where = speed.value("where", nlohmann::json::object());
    Options options;
    options.threads = threads;
    options.block = block_in(where);
    const int width = size_in(where, "width", 960);
    const cv::Mat scene =
        harness::make_scene(where.value("scene", "dark-interior"), width,
                            size_in(where, "height", width * 9 / 16), 1, secret.next());
    const cv::Mat in = where.contains("scene") ? scene : enlarged(scene, secret);
    return {in, cv::Mat(in.size(), in.type()), bytes_of(options), equalize::oracle::check(in),
            library_job(equalize::variants(), speed,
                        [&](const auto& variant) { return harness::bind(variant, options); })};
}

}  // namespace grading
