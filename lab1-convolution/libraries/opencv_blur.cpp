// The calls of OpenCV for separable masks, which compute less than cv::filter2D: cv::GaussianBlur
// for gauss3 and gauss5, cv::blur for boxes, cv::sepFilter2D for other products of a column and a
// row. As in peer_opencv, a border of zeros agrees with the definition, and results are rounded.

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

static bool same_weights(const Mask& a, const Mask& b) {
    return a.size == b.size && std::equal(a.weights, a.weights + a.size * a.size, b.weights);
}

static bool is_box(const Mask& mask) {
    const auto count = static_cast<float>(mask.size * mask.size);
    return std::all_of(mask.weights, mask.weights + mask.size * mask.size,
                       [&](float weight) { return weight == 1 / count; });
}

/// The column through the middle of the mask.
static cv::Mat column_of(const Mask& mask) {
    cv::Mat column(mask.size, 1, CV_32F);
    for (int i = 0; i < mask.size; ++i) column.at<float>(i) = mask.at(i, mask.radius());
    return column;
}

/// The row that makes the mask of this column. Throws if there is none.
static cv::Mat row_of(const Mask& mask) {
    const int k = mask.radius();
    cv::Mat row(1, mask.size, CV_32F);
    for (int j = 0; j < mask.size; ++j) row.at<float>(j) = mask.at(k, j) / mask.at(k, k);
    for (int i = 0; i < mask.size; ++i) {
        for (int j = 0; j < mask.size; ++j) {
            const float weight = mask.at(i, j);
            const float product = mask.at(i, k) * row.at<float>(j);
            if (std::abs(product - weight) <= 1e-6f * std::abs(weight)) continue;
            throw common::Unsupported("peer_opencv_blur: the mask is no column times a row");
        }
    }
    return row;
}

void peer_opencv_blur(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                      const Options& options) {
    const int type = CV_8UC(in.channels);
    const cv::Mat source(in.height, in.width, type, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(out.height, out.width, type, out.data, static_cast<std::size_t>(out.pitch));
    const Mask& mask = options.mask;
    const cv::Size size(mask.size, mask.size);
    cv::setNumThreads(options.threads);
    if (same_weights(mask, find_filter("gauss3")) || same_weights(mask, find_filter("gauss5"))) {
        return cv::GaussianBlur(source, target, size, 0, 0, cv::BORDER_CONSTANT);
    }
    if (is_box(mask)) return cv::blur(source, target, size, {-1, -1}, cv::BORDER_CONSTANT);
    cv::sepFilter2D(source, target, CV_8U, row_of(mask), column_of(mask), {-1, -1}, 0,
                    cv::BORDER_CONSTANT);
}

static const Register registered{
    {.name = "peer_opencv_blur",
     .backend = common::Backend::peer,
     .idea = "cv::GaussianBlur, cv::blur, cv::sepFilter2D; rounds, so compared with tolerance 1",
     .agreement = {.tolerance = 1}},
    peer_opencv_blur};

}  // namespace convolution
