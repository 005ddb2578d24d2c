#include "sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/image.hpp"
#include "common/npy.hpp"
#include "common/variant.hpp"
#include "harness/verify.hpp"
#include "options.hpp"

namespace integral {
namespace {

std::int64_t largest_magnitude(const cv::Mat& in) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (int y = 0; y < in.rows; ++y) {
        const auto [least, greatest] =
            std::minmax_element(in.ptr<Pixel>(y), in.ptr<Pixel>(y) + in.cols);
        low = std::min<std::int64_t>(low, *least);
        high = std::max<std::int64_t>(high, *greatest);
    }
    return std::max(-low, high);
}

void write_npy(std::ostream& out, const cv::Mat& sums) {
    out << common::npy_header(sums.elemSize(), sums.rows, sums.cols);
    for (int y = 0; y < sums.rows; ++y) {
        out.write(sums.ptr<char>(y), static_cast<std::streamsize>(
                                         static_cast<std::size_t>(sums.cols) * sums.elemSize()));
    }
}

template <class Sum>
cv::Mat picture(const cv::Mat& sums, Sum& largest) {
    largest = 1;
    for (int y = 0; y < sums.rows; ++y) {
        largest =
            std::max(largest, *std::max_element(sums.ptr<Sum>(y), sums.ptr<Sum>(y) + sums.cols));
    }
    cv::Mat gray(sums.size(), CV_8UC1);
    for (int y = 0; y < sums.rows; ++y) {
        std::transform(sums.ptr<Sum>(y), sums.ptr<Sum>(y) + sums.cols, gray.ptr<uchar>(y),
                       [scale = 255.0 / static_cast<double>(largest)](Sum sum) {
                           return cv::saturate_cast<uchar>(static_cast<double>(sum) * scale);
                       });
    }
    return gray;
}

template <class Sum>
void add_row_of(const cv::Mat& row, cv::Mat& sums, int threads) {
    const Sum* const more = row.ptr<Sum>(0);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y = 0; y < sums.rows; ++y) {
        Sum* const values = sums.ptr<Sum>(y);
        for (int x = 0; x < sums.cols; ++x) values[x] += more[x];
    }
}

}  // namespace

int sum_type(const cv::Mat& in) {
    return sum_type(in.cols, in.rows, std::max<std::int64_t>(largest_magnitude(in), 1));
}

int sum_type(int width, int height, std::int64_t largest) {
    const std::int64_t pixels = static_cast<std::int64_t>(height) * width;
    if (pixels > std::numeric_limits<Sum64>::max() / largest) {
        throw common::BadUsage(fmt::format(
            "{} pixels of up to {}: their sum may not fit into 64 bits", pixels, largest));
    }
    return pixels * largest <= std::numeric_limits<Sum32>::max() ? CV_32SC1
                                                                 : harness::int64_carrier;
}

void add_row(const cv::Mat& row, cv::Mat& sums, int threads) {
    if (sums.type() == CV_32SC1) {
        add_row_of<Sum32>(row, sums, threads);
    } else {
        add_row_of<Sum64>(row, sums, threads);
    }
}

void check_writable_sums(const std::filesystem::path& path) {
    if (path.extension() == ".npy") {
        common::check_writable(path);
        return;
    }
    try {
        common::check_writable_image(path);
    } catch (const common::BadUsage& error) {
        throw common::BadUsage(fmt::format("{}; .npy holds the sums themselves", error.what()));
    }
}

void check_size_of_sums(const std::filesystem::path& path, int width, int height) {
    if (path.extension() != ".npy") common::check_format_holds(path, width, height, CV_8UC1);
}

std::string write_sums(const std::filesystem::path& path, const cv::Mat& sums) {
    const std::string what = sums.type() == CV_32SC1 ? "32-bit sums" : "64-bit sums";
    if (path.extension() == ".npy") {
        common::write_file(path, [&sums](std::ostream& out) { write_npy(out, sums); });
        return what;
    }
    const auto write = [&]<class Sum>(Sum largest) {
        common::write_image(path, picture<Sum>(sums, largest));
        return fmt::format("gray, 8 bits: {}, scaled by 255/{}", what, largest);
    };
    return sums.type() == CV_32SC1 ? write(Sum32{}) : write(Sum64{});
}

}  // namespace integral
