// The library call on the CPU: cv::filter2D. It correlates, as the definition does. A border of
// constant zeros adds nothing to a sum, so the border agrees. But it rounds to nearest where the
// definition truncates, and it uses a Fourier transform for masks of 13x13 and more.

#include <opencv2/imgproc.hpp>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void peer_opencv(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                 const Options& options) {
    const int type = CV_8UC(in.channels);
    const cv::Mat source(in.height, in.width, type, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(out.height, out.width, type, out.data, static_cast<std::size_t>(out.pitch));
    const cv::Mat mask(options.mask.size, options.mask.size, CV_32F,
                       const_cast<float*>(options.mask.weights));
    cv::setNumThreads(options.threads);
    cv::filter2D(source, target, CV_8U, mask, {-1, -1}, 0, cv::BORDER_CONSTANT);
}

static const Register registered{{.name = "peer_opencv",
                                  .backend = common::Backend::peer,
                                  .idea = "cv::filter2D; rounds, so compared with tolerance 1",
                                  .agreement = {.tolerance = 1}},
                                 peer_opencv};

}  // namespace convolution
