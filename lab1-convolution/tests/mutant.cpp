#include "mutant.hpp"

#include <algorithm>
#include <cmath>

#include "harness/device.hpp"

namespace mistakes {

uchar truncated(double sum) {
    return static_cast<uchar>(sum <= 0 ? 0 : sum >= 255 ? 255 : std::floor(sum));
}

uchar rounded(double sum) {
    return truncated(std::floor(sum + 0.5));
}

uchar wrapped(double sum) {
    return static_cast<uchar>(static_cast<long>(sum) & 255);
}

namespace {

/// One axis: the place that is read for `at`, -1 for a tap that is left out, -2 for a place
/// outside.
int place(int at, int size, Rules::Outside outside, int lost_first, int lost_last) {
    if (at >= std::max(lost_first, 0) && at < size - std::max(lost_last, 0)) return at;
    if (at >= lost_first && at < size - lost_last) return -2;
    if (at >= 0 && at < size) return -1;
    switch (outside) {
        case Rules::skipped:
            return -1;
        case Rules::read:
            return -2;
        case Rules::replicated:
            return std::clamp(at, 0, size - 1);
        case Rules::reflected:
            return std::clamp(at < 0 ? -1 - at : 2 * size - 1 - at, 0, size - 1);
        case Rules::reflected_101:
            return std::clamp(at < 0 ? -at : 2 * size - 2 - at, 0, size - 1);
        case Rules::wraps:
            return ((at % size) + size) % size;
    }
    return -1;
}

class Mutant {
  public:
    Mutant(const cv::Mat& image, const Mask& mask, const Rules& rules)
        : image_(image), mask_(mask), rules_(rules), channels_(image.channels()) {}

    cv::Mat output() const {
        cv::Mat out(image_.size(), image_.type());
        const int k = mask_.radius();
        for (int y = 0; y < image_.rows; ++y) {
            double sum = 0;
            for (int x = 0; x < image_.cols; ++x) {
                if (rules_.reset == Rules::each_pixel) sum = 0;
                const bool inside = x >= k && x < image_.cols - k && y >= k && y < image_.rows - k;
                for (int c = 0; c < channels_; ++c) {
                    uchar& to = out.ptr(y, x)[c];
                    if (!inside && rules_.edge != Rules::cut) {
                        to = rules_.edge == Rules::zero ? uchar{0} : image_.ptr(y, x)[c];
                        continue;
                    }
                    if (rules_.reset == Rules::each_value) sum = 0;
                    sum += window(x, y, rules_.channel(c, channels_));
                    to = rules_.to_pixel(sum);
                }
            }
        }
        return out;
    }

  private:
    const cv::Mat& image_;
    const Mask& mask_;
    const Rules& rules_;
    int channels_;

    bool in_other_block(int x, int y, int at_x, int at_y) const {
        if (!rules_.block) return false;
        const auto [width, height] = *rules_.block;
        return x / width != at_x / width || y / height != at_y / height || at_x < 0 || at_y < 0;
    }

    double value(int x, int y, int j, int c) const {
        if ((x == -2 && !rules_.edge_in_values) || y == -2) return harness::guard_byte;
        if (rules_.tap_distance == 0) return image_.ptr(y, x)[c];
        const int i = (x - j) * channels_ + c + j * rules_.tap_distance;
        const bool in_row = i >= 0 && i < image_.cols * channels_;
        return in_row ? image_.ptr(y)[i] : rules_.edge_in_values ? 0 : harness::guard_byte;
    }

    double window(int x, int y, int c) const {
        const int k = rules_.radius >= 0 ? rules_.radius : mask_.radius();
        double sum = 0;
        for (int i = rules_.top - k; i <= k - rules_.bottom; ++i) {
            const int at_y = y + i + rules_.shift_y;
            const int row =
                place(at_y, image_.rows, rules_.in_y, rules_.lost_top, rules_.lost_bottom);
            for (int j = rules_.left - k; j <= k - rules_.right; ++j) {
                const int at_x = x + j + rules_.shift_x;
                const int column = rules_.edge_in_values
                                       ? at_x
                                       : place(at_x, image_.cols, rules_.in_x, rules_.lost_left,
                                               rules_.lost_right);
                if (row == -1 || (column == -1 && !rules_.edge_in_values) ||
                    in_other_block(x, y, at_x, at_y))
                    continue;
                const double product =
                    value(column, row, j, c) * rules_.weight(mask_, i + k, j + k);
                if (rules_.keeps_last_tap) sum = 0;
                sum += rules_.truncates_products ? std::trunc(product) : product;
            }
        }
        return sum;
    }
};

}  // namespace

cv::Mat output_of(const cv::Mat& image, const Mask& mask, const Rules& rules) {
    return Mutant(image, mask, rules).output();
}

}  // namespace mistakes
