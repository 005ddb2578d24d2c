#include "reference.hpp"

#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace equalize {
namespace {

cv::Mat equalized(const cv::Mat& in) {
    std::array<int, 256> counts{};
    for (int y = 0; y < in.rows; ++y) {
        for (int x = 0; x < in.cols; ++x) ++counts[in.ptr(y)[x]];
    }
    std::size_t darkest = 0;
    while (counts[darkest] == 0) ++darkest;
    const int brighter = static_cast<int>(in.total()) - counts[darkest];
    if (brighter == 0) return in.clone();

    const float scale = 255.0f / static_cast<float>(brighter);
    cv::Mat table(1, 256, CV_8UC1, cv::Scalar(0));
    int sum = 0;
    for (std::size_t level = darkest + 1; level < counts.size(); ++level) {
        sum += counts[level];
        const float value = static_cast<float>(sum) * scale;
        table.ptr()[level] = static_cast<uchar>(std::nearbyint(value));  // half to even
    }
    cv::Mat out;
    cv::LUT(in, table, out);
    return out;
}

cv::Mat equalized_luma(const cv::Mat& in) {
    cv::Mat picture;
    cv::cvtColor(in, picture, cv::COLOR_BGR2YCrCb);
    std::vector<cv::Mat> planes;
    cv::split(picture, planes);
    planes[0] = equalized(planes[0]);
    cv::merge(planes, picture);
    cv::cvtColor(picture, picture, cv::COLOR_YCrCb2BGR);
    return picture;
}

}  // namespace

common::Check check_against_definition(const cv::Mat& in) {
    const cv::Mat expected = in.channels() == 1 ? equalized(in) : equalized_luma(in);
    return [expected](const cv::Mat& out, const common::Agreement& agreement) {
        return common::compare(expected, expected, out, agreement);
    };
}

}  // namespace equalize
