#include "library_form.hpp"

#include "common/error.hpp"

namespace integral {

harness::Adapter library_form(const std::string& variant) {
    harness::Adapter adapter;
    adapter.input = [variant](const cv::Mat& in) {
        double low = 0;
        double high = 0;
        cv::minMaxLoc(in, &low, &high);
        if (low < 0 || high > 255) {
            throw common::Unsupported(variant + ": takes pixels of 0 to 255 only");
        }
        cv::Mat bytes;
        in.convertTo(bytes, CV_8U);
        return bytes;
    };
    adapter.output = [variant](const harness::Shape& out) {
        if (out.type != CV_32SC1) {
            throw common::Unsupported(variant + ": has 32-bit sums only; this image needs 64");
        }
        return harness::Shape{out.width + 1, out.height + 1, CV_32SC1};
    };
    adapter.result = [](const cv::Mat& out) {
        return out(cv::Rect(1, 1, out.cols - 1, out.rows - 1));
    };
    return adapter;
}

}  // namespace integral
