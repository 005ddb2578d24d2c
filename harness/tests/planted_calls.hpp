#pragma once

// A planted variant that should add one to each value, and what the second look says of it.

#include <opencv2/core.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/scenes.hpp"
#include "harness/testing.hpp"

using harness::VariantCall;
using Change = uchar (*)(uchar value);

inline cv::Mat changed(const cv::Mat& in, Change change) {
    cv::Mat out(in.size(), in.type());
    for (int y = 0; y < in.rows; ++y) {
        for (int i = 0; i < in.cols * in.channels(); ++i) out.ptr(y)[i] = change(in.ptr(y)[i]);
    }
    return out;
}

inline uchar plus_one(uchar value) {
    return static_cast<uchar>(value + 1);
}

inline uchar plus_two(uchar value) {
    return static_cast<uchar>(value + 2);
}

/// A variant that should add one, on an image; `mistakes` are the known ones.
inline VariantCall call_for(const harness::HostCall& variant, const cv::Mat& image,
                            const std::vector<std::pair<std::string, Change>>& mistakes) {
    VariantCall call;
    call.variant.name = "planted";
    call.job.call = variant;
    call.in = image;
    call.out = harness::Shape::of(image);
    call.parameters = "none";
    call.expected = [](const cv::Mat& in) { return changed(in, plus_one); };
    call.definition = [](const cv::Mat& in) -> harness::Check {
        return [expected = changed(in, plus_one)](const cv::Mat& out,
                                                  const common::Agreement& agreement) {
            return harness::compare(expected, expected, out, agreement);
        };
    };
    call.known_mistakes = [mistakes](const cv::Mat& in) {
        std::vector<harness::KnownMistake> all;
        for (const auto& [name, change] : mistakes) {
            all.push_back({name, harness::is([in, change = change] { return changed(in, change); }),
                           "a page"});
        }
        return all;
    };
    return call;
}

inline std::string message_for(const harness::HostCall& variant,
                               const std::vector<std::pair<std::string, Change>>& mistakes = {},
                               int channels = 1) {
    const auto scene = [channels](int width, int height) {
        return harness::make_scene("random", width, height, channels);
    };
    VariantCall call = call_for(variant, scene(30, 20), mistakes);
    call.probes = [=] {
        return std::vector{call_for(variant, scene(20, 12), mistakes),
                           call_for(variant, scene(9, 7), mistakes)};
    };
    return harness::check_call(call);
}
