#include "input.hpp"

#include <bit>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "harness/random.hpp"
#include "harness/scenes.hpp"

namespace equalize {
namespace {

cv::Mat skewed(int width, int height, std::uint64_t seed) {
    cv::Mat image(height, width, CV_8UC1);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto index = static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(width) +
                               static_cast<std::uint64_t>(x);
            const int zeros = std::countl_zero(harness::random_at(seed, index));
            image.ptr(y)[x] = static_cast<uchar>(zeros);
        }
    }
    return image;
}

}  // namespace

cv::Mat load_input(const harness::ImageSource& source, Colour colour) {
    if (source.scene == "skewed") return skewed(source.width, source.height, source.seed);
    if (source.scene == "random" && colour == Colour::gray) {
        return harness::make_scene("random", source.width, source.height, 1, source.seed);
    }
    cv::Mat image = harness::load_source(source);
    if (image.channels() == 3 && colour == Colour::gray) {
        cv::cvtColor(image, image, cv::COLOR_BGR2GRAY);
    }
    return image;
}

harness::Adapter luma_only() {
    const auto planes = std::make_shared<std::vector<cv::Mat>>();  // of the input: Y, Cr, Cb
    harness::Adapter adapter;
    adapter.input = [planes](const cv::Mat& in) {
        cv::Mat ycrcb;
        if (in.channels() == 3) cv::cvtColor(in, ycrcb, cv::COLOR_BGR2YCrCb);
        cv::split(in.channels() == 3 ? ycrcb : in, *planes);
        return planes->front();
    };
    adapter.output = [](const harness::Shape& out) {
        return harness::Shape{out.width, out.height, CV_8UC1};
    };
    adapter.result = [planes](const cv::Mat& luma) {
        if (planes->size() == 1) return luma;
        cv::Mat picture;
        cv::merge(std::vector<cv::Mat>{luma, planes->at(1), planes->at(2)}, picture);
        cv::cvtColor(picture, picture, cv::COLOR_YCrCb2BGR);
        return picture;
    };
    return adapter;
}

}  // namespace equalize
