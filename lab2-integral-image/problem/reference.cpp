#include "reference.hpp"

#include <algorithm>

#include "common/variant.hpp"
#include "options.hpp"
#include "sums.hpp"

namespace integral {
namespace {

constexpr int strip = 1024;  // columns that one thread carries down the image

template <class Sum>
cv::Mat sums_of(const cv::Mat& in, int type) {
    cv::Mat sums(in.size(), type);
#pragma omp parallel for
    for (int y = 0; y < in.rows; ++y) {
        std::int64_t sum = 0;
        for (int x = 0; x < in.cols; ++x) {
            sum += in.ptr<Pixel>(y)[x];
            sums.ptr<Sum>(y)[x] = static_cast<Sum>(sum);
        }
    }
#pragma omp parallel for
    for (int left = 0; left < in.cols; left += strip) {
        for (int y = 1; y < in.rows; ++y) {
            for (int x = left; x < std::min(left + strip, in.cols); ++x) {
                sums.ptr<Sum>(y)[x] += sums.ptr<Sum>(y - 1)[x];
            }
        }
    }
    return sums;
}

}  // namespace

common::Check check_against_definition(const cv::Mat& in) {
    const int type = sum_type(in);
    const bool narrow = type == CV_32SC1;
    const cv::Mat sums = narrow ? sums_of<Sum32>(in, type) : sums_of<Sum64>(in, type);
    return [sums, narrow](const cv::Mat& out, const common::Agreement& agreement) {
        return narrow ? common::compare(sums, sums, out, agreement)
                      : common::compare_int64(sums, sums, out, agreement);
    };
}

}  // namespace integral
