#include "oracle.hpp"

#include <cstdint>
#include <vector>

#include "options.hpp"
#include "sums.hpp"

namespace integral {
namespace {

template <class Sum>
cv::Mat recurrence(const cv::Mat& in, int type) {
    cv::Mat sums(in.size(), type);
    const std::vector<Sum> zeros(static_cast<std::size_t>(in.cols));
    for (int y = 0; y < in.rows; ++y) {
        const Pixel* pixels = in.ptr<Pixel>(y);
        const Sum* above = y > 0 ? sums.ptr<Sum>(y - 1) : zeros.data();
        Sum* row = sums.ptr<Sum>(y);
        std::int64_t left = 0;
        std::int64_t above_left = 0;
        for (int x = 0; x < in.cols; ++x) {
            left += above[x] - above_left + pixels[x];
            above_left = above[x];
            row[x] = static_cast<Sum>(left);
        }
    }
    return sums;
}

}  // namespace

cv::Mat integral_image(const cv::Mat& in) {
    const int type = sum_type(in);
    return type == CV_32SC1 ? recurrence<Sum32>(in, type) : recurrence<Sum64>(in, type);
}

harness::Check oracle(const cv::Mat& in) {
    const cv::Mat sums = integral_image(in);
    return [sums](const cv::Mat& out, const common::Agreement& agreement) {
        return sums.type() == CV_32SC1 ? harness::compare(sums, sums, out, agreement)
                                       : harness::compare_int64(sums, sums, out, agreement);
    };
}

}  // namespace integral
