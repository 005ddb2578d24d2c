// Sums that are added up in float, or partly in 32 bits, in the orders of the lab's variants.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "mistakes.hpp"
#include "pass_mistakes.hpp"
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

/// Whether the sums of each `segment` values of a row have 32 bits. They are added up in 64 bits.
template <class Sum32>
bool are_sums_of_segments(const cv::Mat& image, const cv::Mat& out, int segment) {
    for (int y = 0; y < image.rows; ++y) {
        std::int64_t before = 0;
        std::uint32_t sum = 0;
        for (int x = 0; x < image.cols; ++x) {
            if (x % segment == 0) {
                before += static_cast<Sum32>(sum);
                sum = 0;
            }
            sum += static_cast<std::uint32_t>(image.ptr<std::int32_t>(y)[x]);
            const std::uint64_t above = y > 0 ? out.ptr<std::uint64_t>(y - 1)[x] : 0;
            const std::int64_t along = before + static_cast<Sum32>(sum);
            if (out.ptr<std::uint64_t>(y)[x] != above + static_cast<std::uint64_t>(along)) {
                return false;
            }
        }
    }
    return true;
}

const std::string size_of_sums =
    problem + "If that fits 32 bits, the sums have 32 bits, otherwise 64";

}  // namespace

std::vector<harness::KnownMistake> of_32_bit_sums(const cv::Mat& image) {
    std::vector<harness::KnownMistake> all;
    for (int segment = 2; segment <= 1024; segment *= 2) {
        all.push_back(
            {fmt::format("a 32-bit overflow: the sum of {} values of a row has 32 bits", segment),
             [image, segment](const cv::Mat& out) {
                 return out.elemSize1() == 8 &&
                        (are_sums_of_segments<std::int32_t>(image, out, segment) ||
                         are_sums_of_segments<std::uint32_t>(image, out, segment));
             },
             size_of_sums});
    }
    return all;
}

std::vector<harness::KnownMistake> of_float_sums(const cv::Mat& image) {
    return {{"sums are added up in float, which holds 24 bits",
             [image](const cv::Mat& out) {
                 return out.elemSize1() == 4 ? are_float_sums<std::int32_t>(image, out)
                                             : are_float_sums<std::int64_t>(image, out);
             },
             size_of_sums}};
}

}  // namespace mistakes
