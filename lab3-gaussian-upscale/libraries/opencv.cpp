// cv::resize samples at the same positions as the definition and replicates the border. Its weights
// have 11 bits, so it is compared with tolerance 1.

#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

static int interpolation(Method method) {
    switch (method) {
        case Method::bicubic:
            return cv::INTER_CUBIC;
        case Method::bilinear:
            return cv::INTER_LINEAR;
        case Method::lanczos:
            return cv::INTER_LANCZOS4;
        case Method::gauss:
        case Method::lagrange:
        case Method::learned:
            break;
    }
    throw common::Unsupported("peer_opencv: has no such method; take --method bicubic");
}

void peer_opencv(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                 const Options& options) {
    const int flag = interpolation(options.method);
    const int type = CV_8UC(in.channels);
    const cv::Mat source(in.height, in.width, type, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(out.height, out.width, type, out.data, static_cast<std::size_t>(out.pitch));
    cv::setNumThreads(options.threads);
    cv::resize(source, target, target.size(), 0, 0, flag);
}

static const Register registered{{.name = "peer_opencv",
                                  .backend = common::Backend::peer,
                                  .idea = "cv::resize, which has no Gaussian; weights of 11 bits",
                                  .agreement = {.tolerance = 1}},
                                 peer_opencv};

}  // namespace upscale
