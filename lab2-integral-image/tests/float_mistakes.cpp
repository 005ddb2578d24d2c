// Sums that are added up in float, in the orders of the lab's variants.

#include <string>
#include <vector>

#include "mistakes.hpp"
#include "problem/sums.hpp"

namespace mistakes {
namespace {

constexpr std::size_t most_pixels_of_all_sums = 5000;  // whose work grows with their square

template <class Sum>
bool are_sums_of_all(const cv::Mat& image, const cv::Mat& out) {
    if (image.total() > most_pixels_of_all_sums) return false;
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            float sum = 0;
            for (int j = 0; j <= y; ++j) {
                for (int i = 0; i <= x; ++i) {
                    sum += static_cast<float>(image.ptr<std::int32_t>(j)[i]);
                }
            }
            if (reinterpret_cast<const Sum*>(out.ptr(y))[x] != static_cast<Sum>(sum)) return false;
        }
    }
    return true;
}

/// A sum along the row in float, plus the sum above: as a float, or not.
template <class Sum>
bool are_sums_along_rows(const cv::Mat& image, const cv::Mat& out, bool float_above) {
    for (int y = 0; y < image.rows; ++y) {
        float along = 0;
        for (int x = 0; x < image.cols; ++x) {
            along += static_cast<float>(image.ptr<std::int32_t>(y)[x]);
            const auto at = [&](int row) { return reinterpret_cast<const Sum*>(out.ptr(row))[x]; };
            const Sum above = y > 0 ? at(y - 1) : 0;
            const Sum sum = float_above ? static_cast<Sum>(along + static_cast<float>(above))
                                        : static_cast<Sum>(static_cast<Sum>(along) + above);
            if (at(y) != sum) return false;
        }
    }
    return true;
}

template <class Sum>
bool are_float_sums(const cv::Mat& image, const cv::Mat& out) {
    return are_sums_along_rows<Sum>(image, out, true) ||
           are_sums_along_rows<Sum>(image, out, false) || are_sums_of_all<Sum>(image, out);
}

}  // namespace

std::vector<harness::KnownMistake> of_float_sums(const cv::Mat& image) {
    return {
        {"sums are added up in float, which holds 24 bits",
         [image](const cv::Mat& out) {
             return out.elemSize1() == 4 ? are_float_sums<std::int32_t>(image, out)
                                         : are_float_sums<std::int64_t>(image, out);
         },
         "lab2-integral-image/README.md, \"The problem\": If that fits 32 bits, the sums have 32 "
         "bits, otherwise 64"}};
}

}  // namespace mistakes
