// What a C++ programmer would call: cv::resize with cubic interpolation. It samples at the same
// places, repeats the border as the definition does, and has weights of 11 bits.

#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/view.hpp"
#include "options.hpp"

namespace upscale {

using common::ImageView;

void peer_opencv(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                 const Options& options) {
    if (options.method != Method::bicubic) {
        throw common::Unsupported("peer_opencv: has no Gaussian method; take --method bicubic");
    }
    const int type = CV_8UC(in.channels);
    const cv::Mat source(in.height, in.width, type, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(out.height, out.width, type, out.data, static_cast<std::size_t>(out.pitch));
    cv::setNumThreads(options.threads);
    cv::resize(source, target, target.size(), 0, 0, cv::INTER_CUBIC);
}

}  // namespace upscale
