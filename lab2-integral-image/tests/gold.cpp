#include "gold.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "common/variant.hpp"

namespace gold {
namespace {

using Term = std::function<std::int64_t(const cv::Mat& image, int x, int y)>;

std::int64_t pixel(const cv::Mat& image, int x, int y) {
    return image.ptr<std::int32_t>(y)[x];
}

std::int64_t& at(cv::Mat& sums, int x, int y) {
    return sums.ptr<std::int64_t>(y)[x];
}

std::int64_t at_or_zero(const cv::Mat& sums, int x, int y) {
    return x < 0 || y < 0 ? 0 : sums.ptr<std::int64_t>(y)[x];
}

/// Every value of an image from its coordinates.
cv::Mat made_of(const cv::Size& size, const std::function<std::int64_t(int x, int y)>& value) {
    cv::Mat image(size, common::int64_carrier);
    for (int y = 0; y < size.height; ++y) {
        for (int x = 0; x < size.width; ++x) at(image, x, y) = value(x, y);
    }
    return image;
}

/// 64-bit values as 32-bit ones; what does not fit wraps around.
cv::Mat wrapped_to_32_bits(const cv::Mat& sums) {
    cv::Mat result(sums.size(), CV_32SC1);
    for (int y = 0; y < sums.rows; ++y) {
        for (int x = 0; x < sums.cols; ++x) {
            result.ptr<std::int32_t>(y)[x] = static_cast<std::int32_t>(at_or_zero(sums, x, y));
        }
    }
    return result;
}

/// What 32-bit sums give that are widened too late.
cv::Mat widened_too_late(const cv::Mat& sums) {
    return made_of(sums.size(), [&](int x, int y) {
        return std::int64_t{static_cast<std::int32_t>(at_or_zero(sums, x, y))};
    });
}

/// The sums of an image whose last, partial tiles in x and y count as zero.
cv::Mat without_partial_tiles(const cv::Mat& image, common::Block tile) {
    cv::Mat kept = image.clone();
    kept.colRange(image.cols / tile.width * tile.width, image.cols).setTo(0);
    kept.rowRange(image.rows / tile.height * tile.height, image.rows).setTo(0);
    return sums(kept);
}

/// Where an output first differs from what is right, as far as tiles are concerned.
enum class FirstWrong { nowhere, in_first_tile, beyond_first_tile };

FirstWrong first_wrong(const cv::Mat& out, const cv::Mat& right, common::Block tile) {
    const std::size_t size = out.elemSize();
    bool any = false;
    for (int y = 0; y < out.rows; ++y) {
        for (int x = 0; x < out.cols; ++x) {
            if (std::equal(out.ptr(y, x), out.ptr(y, x) + size, right.ptr(y, x))) continue;
            if (x < tile.width && y < tile.height) return FirstWrong::in_first_tile;
            any = true;
        }
    }
    return any ? FirstWrong::beyond_first_tile : FirstWrong::nowhere;
}

}  // namespace

cv::Mat as_type(const cv::Mat& sums, int type) {
    return type == CV_32SC1 ? wrapped_to_32_bits(sums) : sums;
}

std::int64_t sum_at(const cv::Mat& image, int x, int y) {
    std::int64_t sum = 0;
    for (int j = 0; j <= y; ++j) {
        for (int i = 0; i <= x; ++i) sum += pixel(image, i, j);
    }
    return sum;
}

cv::Mat sums(const cv::Mat& image) {
    cv::Mat result(image.size(), common::int64_carrier);
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            at(result, x, y) = pixel(image, x, y) + at_or_zero(result, x - 1, y) +
                               at_or_zero(result, x, y - 1) - at_or_zero(result, x - 1, y - 1);
        }
    }
    return result;
}

int type_of_sums(const cv::Mat& image) {
    double low = 0;
    double high = 0;
    cv::minMaxLoc(image, &low, &high);
    const double largest = std::max(std::fabs(low), std::fabs(high));
    return static_cast<double>(image.total()) * largest < 0x1p31 ? CV_32SC1 : common::int64_carrier;
}

common::Check check(const cv::Mat& image) {
    const int type = type_of_sums(image);
    const cv::Mat expected = as_type(sums(image), type);
    return [expected, type](const cv::Mat& out, const common::Agreement& agreement) {
        return type == CV_32SC1 ? common::compare(expected, expected, out, agreement)
                                : common::compare_int64(expected, expected, out, agreement);
    };
}

std::vector<common::Suspicion> suspicions(const cv::Mat& image, std::optional<common::Block> tile) {
    const int type = type_of_sums(image);
    const auto is = [type, size = image.size()](std::function<std::int64_t(int x, int y)> value) {
        return common::is([=] { return as_type(made_of(size, value), type); });
    };
    const cv::Mat right = sums(image);
    const auto from_corner = [right](int x, int y) { return at_or_zero(right, x, y); };
    const int last_x = image.cols - 1;
    const int last_y = image.rows - 1;

    std::vector<common::Suspicion> all{
        {"the sums are exclusive: neither the pixel's own row nor its own column is counted",
         is([=](int x, int y) { return from_corner(x - 1, y - 1); })},
        {"the sums run over the rows only",
         is([=](int x, int y) { return from_corner(x, y) - from_corner(x, y - 1); })},
        {"the sums run over the columns only",
         is([=](int x, int y) { return from_corner(x, y) - from_corner(x - 1, y); })},
        {"the sums run from the pixel to the end of the image", is([=](int x, int y) {
             return from_corner(last_x, last_y) - from_corner(x - 1, last_y) -
                    from_corner(last_x, y - 1) + from_corner(x - 1, y - 1);
         })},
        {"the pixel itself is not counted",
         is([=](int x, int y) { return from_corner(x, y) - pixel(image, x, y); })}};
    if (type != CV_32SC1) {
        all.push_back({"a 32-bit overflow: sums are added up in 32 bits and wrap around",
                       common::is([right] { return widened_too_late(right); })});
    }
    if (tile) {
        const auto begins = [right, type, tile](FirstWrong where) {
            return [=](const cv::Mat& out) {
                return first_wrong(out, as_type(right, type), *tile) == where;
            };
        };
        all.push_back({"the last, partial tiles are dropped", common::is([image, tile, type] {
                           return as_type(without_partial_tiles(image, *tile), type);
                       })});
        all.push_back(
            {"wrong in the first tile already: is there a barrier after a tile is "
             "loaded, before it is summed up?",
             begins(FirstWrong::in_first_tile)});
        all.push_back(
            {"right in the first tile, wrong beyond it: is there a barrier after a tile "
             "is summed up, before the next one is loaded?",
             begins(FirstWrong::beyond_first_tile)});
    }
    return all;
}

}  // namespace gold
