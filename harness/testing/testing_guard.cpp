#include "harness/testing_guard.hpp"

#include "harness/testing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace harness {
namespace {

constexpr int beside = 5;  // pixels left and right

/// Rows above and below: few if they are long.
int rows_around(const Shape& shape) {
    return std::clamp(20'000 / (shape.width + 2 * beside), 5, 64);
}

/// The position of the image in what surrounds it.
cv::Point place_of(const cv::Mat& guarded_image) {
    cv::Size whole;
    cv::Point place;
    guarded_image.locateROI(whole, place);
    return place;
}

cv::Mat whole_of(cv::Mat inside) {
    const cv::Point place = place_of(inside);
    return inside.adjustROI(place.y, place.y, place.x, place.x);
}

/// The first of `count` bytes that is not `guard`, or `count`.
int first_other(const uchar* bytes, int count, uchar guard) {
    return static_cast<int>(
        std::find_if(bytes, bytes + count, [=](uchar b) { return b != guard; }) - bytes);
}

}  // namespace

cv::Mat guarded(const Shape& shape, unsigned char fill, unsigned char guard) {
    const int rows = rows_around(shape);
    cv::Mat whole(shape.height + 2 * rows, shape.width + 2 * beside, shape.type);
    std::fill_n(whole.data, whole.total() * whole.elemSize(), guard);
    cv::Mat inside = whole(cv::Rect(beside, rows, shape.width, shape.height));
    for (int y = 0; y < inside.rows; ++y) {
        std::fill_n(inside.ptr(y), static_cast<std::size_t>(inside.cols) * inside.elemSize(), fill);
    }
    return inside;
}

cv::Mat surrounded(const cv::Mat& guarded_image) {
    const cv::Mat whole = whole_of(guarded_image);
    return {whole.rows, whole.cols * static_cast<int>(whole.elemSize()), CV_8UC1, whole.data,
            whole.step[0]};
}

cv::Rect inside_of(const cv::Mat& guarded_image) {
    const int pixel = static_cast<int>(guarded_image.elemSize());
    const cv::Point place = place_of(guarded_image);
    return {place.x * pixel, place.y, guarded_image.cols * pixel, guarded_image.rows};
}

cv::Mat read_without_pitch(const cv::Mat& image) {
    cv::Mat inside = guarded(Shape::of(image), 0);
    image.copyTo(inside);
    cv::Mat read(image.size(), image.type());
    const std::size_t bytes = read.total() * read.elemSize();
    std::copy_n(inside.data, bytes, read.data);
    return read;
}

cv::Mat read_exchanged(const cv::Mat& image) {
    cv::Mat inside = guarded(Shape::of(image), 0);
    image.copyTo(inside);
    const uchar* end = whole_of(inside).dataend;
    const std::size_t pixel = image.elemSize();
    cv::Mat read(image.size(), image.type());
    std::fill_n(read.data, read.total() * pixel, guard_byte);
    for (int y = 0; y < read.rows; ++y) {
        for (int x = 0; x < read.cols; ++x) {
            const uchar* from = inside.data + static_cast<std::size_t>(x) * inside.step[0] +
                                static_cast<std::size_t>(y) * pixel;
            if (from + pixel <= end) std::copy_n(from, pixel, read.ptr(y, x));
        }
    }
    return read;
}

std::string first_damage(const cv::Mat& memory, const cv::Rect& inside, unsigned char guard) {
    const int right = inside.x + inside.width;
    for (int y = 0; y < memory.rows; ++y) {
        const uchar* row = memory.ptr(y);
        const bool in_rows = y >= inside.y && y < inside.y + inside.height;
        const int left = in_rows ? inside.x : memory.cols;
        int at = first_other(row, left, guard);
        if (at == left && in_rows)
            at = right + first_other(row + right, memory.cols - right, guard);
        if (at == memory.cols) continue;
        return fmt::format("at byte {} of row {}, where there are {} bytes in each of {} rows",
                           at - inside.x, y - inside.y, inside.width, inside.height);
    }
    return "";
}

bool equal_bytes(const cv::Mat& a, const cv::Mat& b) {
    if (a.size != b.size || a.type() != b.type()) return false;
    for (int y = 0; y < a.rows; ++y) {
        const std::size_t bytes = static_cast<std::size_t>(a.cols) * a.elemSize();
        if (!std::equal(a.ptr(y), a.ptr(y) + bytes, b.ptr(y))) return false;
    }
    return true;
}

}  // namespace harness
