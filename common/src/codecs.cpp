#include "codecs.hpp"

#include <opencv2/imgcodecs.hpp>

namespace {

cv::Mat decode(const std::vector<uchar>& bytes, int mode) {
    return cv::imdecode(bytes, mode);
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
