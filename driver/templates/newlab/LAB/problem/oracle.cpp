#include "oracle.hpp"

namespace @{space}@::oracle {

cv::Mat expected(const cv::Mat& in, [[maybe_unused]] const Options& options) {
    cv::Mat out(in.size(), in.type());
    for (int y = 0; y < in.rows; ++y) {
        for (int i = 0; i < in.cols * in.channels(); ++i) {
            out.ptr(y)[i] = static_cast<uchar>(255 - in.ptr(y)[i]);
        }
    }
    return out;
}

common::Check check(const cv::Mat& in, const Options& options) {
    return [right = expected(in, options)](const cv::Mat& out, const common::Agreement& agreement) {
        return common::compare(right, right, out, agreement);
    };
}

}  // namespace @{space}@::oracle
