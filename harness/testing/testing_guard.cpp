#include "harness/testing_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace harness {
namespace {

constexpr int guard = 5;  // pixels on each side

cv::Mat whole_of(cv::Mat inside) {
    return inside.adjustROI(guard, guard, guard, guard);
}

/// The first of `count` bytes that is no guard byte, or `count`.
int first_other(const uchar* bytes, int count) {
    return static_cast<int>(
        std::find_if(bytes, bytes + count, [](uchar b) { return b != guard_byte; }) - bytes);
}

}  // namespace

cv::Mat guarded(const Shape& shape, unsigned char fill) {
    cv::Mat whole(shape.height + 2 * guard, shape.width + 2 * guard, shape.type);
    std::fill_n(whole.data, whole.total() * whole.elemSize(), guard_byte);
    cv::Mat inside = whole(cv::Rect(guard, guard, shape.width, shape.height));
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
    return {guard * pixel, guard, guarded_image.cols * pixel, guarded_image.rows};
}

std::string first_damage(const cv::Mat& memory, const cv::Rect& inside) {
    const int right = inside.x + inside.width;
    for (int y = 0; y < memory.rows; ++y) {
        const uchar* row = memory.ptr(y);
        const bool beside = y >= inside.y && y < inside.y + inside.height;
        const int left = beside ? inside.x : memory.cols;
        int at = first_other(row, left);
        if (at == left && beside) at = right + first_other(row + right, memory.cols - right);
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
