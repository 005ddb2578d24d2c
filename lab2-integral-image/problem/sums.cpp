#include "sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/image.hpp"
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

/// Format 1.0 of numpy.lib.format: magic, length of the header, header, the values in row order.
void write_npy(std::ostream& out, const cv::Mat& sums) {
    const std::size_t value = sums.elemSize();
    std::string header = fmt::format(
        "{{'descr': '{}i{}', 'fortran_order': False, 'shape': ({}, {}), }}",
        std::endian::native == std::endian::little ? '<' : '>', value, sums.rows, sums.cols);
    constexpr std::size_t before_header = 10;
    header.append(63 - (before_header + header.size()) % 64, ' ');  // the values begin aligned
    header += '\n';
    const auto length = static_cast<unsigned>(header.size());
    out << "\x93NUMPY\x01" << '\0' << static_cast<char>(length & 255)
        << static_cast<char>(length >> 8) << header;
    for (int y = 0; y < sums.rows; ++y) {
        out.write(sums.ptr<char>(y),
                  static_cast<std::streamsize>(static_cast<std::size_t>(sums.cols) * value));
    }
}

template <class Sum>
cv::Mat picture(const cv::Mat& sums) {
    Sum largest = 1;
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

}  // namespace

int sum_type(const cv::Mat& in) {
    const std::int64_t pixels = static_cast<std::int64_t>(in.rows) * in.cols;
    const std::int64_t largest = std::max<std::int64_t>(largest_magnitude(in), 1);
    if (pixels > std::numeric_limits<Sum64>::max() / largest) {
        throw common::BadUsage(fmt::format(
            "{} pixels of up to {}: their sum may not fit into 64 bits", pixels, largest));
    }
    return pixels * largest <= std::numeric_limits<Sum32>::max() ? CV_32SC1
                                                                 : harness::int64_carrier;
}

std::string describe(int sum_type) {
    return sum_type == CV_32SC1 ? "32-bit sums" : "64-bit sums";
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

void write_sums(const std::filesystem::path& path, const cv::Mat& sums) {
    if (path.extension() == ".npy") {
        common::write_file(path, [&sums](std::ostream& out) { write_npy(out, sums); });
    } else {
        common::write_image(path,
                            sums.type() == CV_32SC1 ? picture<Sum32>(sums) : picture<Sum64>(sums));
    }
}

}  // namespace integral
