#include "codecs.hpp"

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

namespace {

/// At this level, and at no lower one, OpenCV prints what libtiff says of damaged data.
constexpr auto with_libtiff = cv::utils::logging::LOG_LEVEL_DEBUG;

cv::Mat decode(const std::vector<uchar>& bytes, int mode) {
    const auto before = cv::utils::logging::setLogLevel(with_libtiff);
    cv::Mat image;
    try {
        image = cv::imdecode(bytes, mode);
    } catch (const cv::Exception&) {  // corrupt headers and sizes beyond OpenCV's limit end here
    }
    cv::utils::logging::setLogLevel(before);
    return image;
}

bool encode(const std::string& extension, const cv::Mat& image, std::vector<uchar>& bytes) {
    return cv::imencode(extension, image, bytes);
}

bool has_writer(const std::string& path) {
    return cv::haveImageWriter(path);
}

}  // namespace

extern "C" const common::Codecs* labs_codecs() {
    static constexpr common::Codecs codecs{decode, encode, has_writer};
    return &codecs;
}
