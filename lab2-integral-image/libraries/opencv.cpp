// cv::integral takes 8-bit pixels (or floating-point ones, but no 32-bit integers). Its sums are
// exclusive: a row and a column of zeros precede them.

#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

static void peer_opencv(ImageView<const std::uint8_t> in, ImageView<Sum32> sums,
                        const Options& options) {
    const cv::Mat source(in.height, in.width, CV_8UC1, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(sums.height, sums.width, CV_32SC1, sums.data,
                   static_cast<std::size_t>(sums.pitch) * sizeof(Sum32));
    cv::setNumThreads(options.threads);
    cv::integral(source, target, CV_32S);
}

static const Register registered{{.name = "peer_opencv",
                                  .backend = common::Backend::peer,
                                  .idea = "cv::integral: 8-bit pixels, exclusive 32-bit sums"},
                                 Cost::linear,
                                 peer_opencv};

}  // namespace integral
