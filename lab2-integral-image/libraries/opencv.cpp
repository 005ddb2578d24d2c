// What a C++ programmer would call: cv::integral. It takes 8-bit pixels (floating-point ones too,
// but no 32-bit integers) and counts what lies strictly above and to the left, so its result has a
// row and a column more than the image, which begin with zeros.

#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

void peer_opencv(ImageView<const std::uint8_t> in, ImageView<Sum32> sums, const Options& options) {
    const cv::Mat source(in.height, in.width, CV_8UC1, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(sums.height, sums.width, CV_32SC1, sums.data,
                   static_cast<std::size_t>(sums.pitch) * sizeof(Sum32));
    cv::setNumThreads(options.threads);
    cv::integral(source, target, CV_32S);
}

static const Register registered{
    {.name = "peer_opencv",
     .backend = common::Backend::peer,
     .idea = "cv::integral; 8-bit pixels, 32-bit sums, a row and a column of zeros before them"},
    Cost::linear,
    peer_opencv};

}  // namespace integral
