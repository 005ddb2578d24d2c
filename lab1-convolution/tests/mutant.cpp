#include "mutant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "harness/device.hpp"
#include "harness/testing_guard.hpp"

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

constexpr int left_out = std::numeric_limits<int>::min();  // the place of a tap that does not count

/// The coordinate that is read along one axis for coordinate `at`. `at` may lie outside the image.
/// Returns left_out if the tap is skipped.
int place(int at, int size, const Rules& rules, Rules::Outside outside, int lost_first,
          int lost_last) {
    if (at >= lost_first && at < size - lost_last) return at;
    if (at >= 0 && at < size) return left_out;
    if (rules.sides == (at < 0 ? Rules::upper : Rules::lower)) return left_out;
    switch (outside) {
        case Rules::skipped:
            return left_out;
        case Rules::read:
            return at;
        case Rules::replicated:
            return std::clamp(at, 0, size - 1);
        case Rules::reflected:
            return std::clamp(at < 0 ? -1 - at : 2 * size - 1 - at, 0, size - 1);
        case Rules::reflected_101:
            return std::clamp(at < 0 ? -at : 2 * size - 2 - at, 0, size - 1);
        case Rules::wraps:
            return ((at % size) + size) % size;
    }
    return left_out;
}

bool is_inside(int at, int size) {
    return at >= 0 && at < size;
}

const Rules definition;

class Mutant {
  public:
    Mutant(const cv::Mat& image, const Mask& mask, const Rules& rules)
        : image_(harness::guarded(harness::Shape::of(image), 0)),
          mask_(mask),
          rules_(rules),
          channels_(image.channels()) {
        image.copyTo(image_);
        const cv::Mat whole = harness::surrounded(image_);
        begin_ = whole.data;
        end_ = whole.data + whole.total();
        for (int i = 0; i < mask.size * mask.size; ++i) {
            all_weights_ += weight(i / mask.size, i % mask.size);
        }
    }

    /// Calls `use(value, x, y, c)` until it returns false.
    template <class Use>
    bool compute(Use use) const {
        const int k = mask_.radius();
        const int length = image_.cols * channels_;
        std::vector<double> row_sums(static_cast<std::size_t>(length));
        std::optional<Mutant> right;
        if (rules_.where != Rules::everywhere) right.emplace(image_, mask_, definition);
        for (int y = 0; y < image_.rows; ++y) {
            double sum = 0;
            const int cleared = begins_part(y) ? length : length * rules_.kept_from / 4;
            for (int x = 0; x < image_.cols; ++x) {
                if (rules_.reset == Rules::each_pixel) sum = 0;
                const bool inside = x >= k && x < image_.cols - k && y >= k && y < image_.rows - k;
                for (int c = 0; c < channels_; ++c) {
                    uchar value = 0;
                    if (right && inside != (rules_.where == Rules::in_interior)) {
                        value = truncated(right->window(0, x, y, c));
                    } else if (!inside && rules_.edge != Rules::cut) {
                        if (rules_.edge == Rules::copied) value = image_.ptr(y, x)[c];
                    } else {
                        if (rules_.reset == Rules::each_value) sum = 0;
                        double& of_row = row_sums[static_cast<std::size_t>(x * channels_ + c)];
                        if (x * channels_ + c >= cleared) sum = of_row;
                        sum = window(sum, x, y, rules_.channel(c, channels_));
                        of_row = sum;
                        value = rules_.to_pixel(sum);
                    }
                    if (!use(value, x, y, c)) return false;
                }
            }
        }
        return true;
    }

  private:
    cv::Mat image_;
    const Mask& mask_;
    const Rules& rules_;
    int channels_;
    double all_weights_ = 0;
    const uchar* begin_ = nullptr;
    const uchar* end_ = nullptr;

    /// The byte at a coordinate that may lie outside the image. Tests surround images by guard
    /// bytes.
    uchar in_memory(int x, int y, int c) const {
        const auto step = static_cast<std::ptrdiff_t>(image_.step[0]);
        const uchar* at = image_.data + y * step + std::ptrdiff_t{x} * channels_ + c;
        return at >= begin_ && at < end_ ? *at : harness::guard_byte;
    }

    double weight(int i, int j) const {
        const double value = rules_.weight(mask_, i, j);
        return rules_.converted_weight == nullptr ? value : rules_.converted_weight(value);
    }

    /// The thread that has row y, where threads share the rows evenly.
    int thread_of(int y) const {
        const int rows = image_.rows / rules_.parts;
        const int more = image_.rows % rules_.parts * (rows + 1);
        return y < more ? y / (rows + 1)
                        : image_.rows % rules_.parts + (y - more) / std::max(rows, 1);
    }
    bool begins_part(int y) const { return y == 0 || thread_of(y) != thread_of(y - 1); }

    bool is_missing(int x, int y, int c, int at_x, int at_y) const {
        const auto distance = [](int from, int to, int size) {
            return (to < 0 ? -1 : to / size) - from / size;
        };
        int in_x = 0, in_y = 0;
        if (rules_.block) {
            in_x = distance(x, at_x, rules_.block->width);
            in_y = distance(y, at_y, rules_.block->height);
        }
        if (rules_.strip != 0) {
            in_x = distance(x * channels_ + c, at_x * channels_ + c, rules_.strip);
        }
        if (rules_.ends_in_parts) in_y = thread_of(at_y) - thread_of(y);
        switch (rules_.missing) {
            case Rules::corners:
                return in_x != 0 && in_y != 0;
            case Rules::on_the_left:
                return in_x < 0;
            case Rules::on_the_right:
                return in_x > 0;
            case Rules::above:
                return in_y < 0;
            case Rules::below:
                return in_y > 0;
            case Rules::any_other:
                break;
        }
        return in_x != 0 || in_y != 0;
    }

    double value(int x, int y, int j, int c) const {
        if (rules_.tap_distance == 0) return in_memory(x, y, c);
        const int i = (x - j) * channels_ + c + j * rules_.tap_distance;
        const bool in_row = i >= 0 && i < image_.cols * channels_;
        return in_row ? image_.ptr(y)[i] : rules_.edge_in_values ? 0 : harness::guard_byte;
    }

    double divided(double sum, double used_weights, int taps) const {
        if (rules_.divided == Rules::by_used_unless_zero) {
            return used_weights != 0 ? sum / used_weights : sum;
        }
        const double by = rules_.divided == Rules::by_used_weights  ? used_weights
                          : rules_.divided == Rules::by_all_weights ? all_weights_
                          : rules_.divided == Rules::by_taps        ? taps
                          : rules_.divided == Rules::by_size        ? mask_.size
                                                                    : 0;
        return by > 0 ? sum / by : sum;
    }

    /// Like `place`, for the row or the column of a tap; x_for_y confuses the lower bound of the
    /// two axes.
    int row_of(int at_y, int x, int i, int height) const {
        if (rules_.both_ends_in_y && !is_inside(at_y - 2 * i, height)) return left_out;
        if (rules_.x_for_y && at_y < height) return i >= -x ? at_y : left_out;
        return place(at_y, height, rules_, rules_.in_y, rules_.lost_top, rules_.lost_bottom);
    }
    int column_of(int at_x, int y, int j, int width) const {
        if (rules_.edge_in_values) return at_x;
        if (rules_.both_ends_in_x && !is_inside(at_x - 2 * j, width)) return left_out;
        if (rules_.y_for_x && at_x < width) return j >= -y ? at_x : left_out;
        return place(at_x, width, rules_, rules_.in_x, rules_.lost_left, rules_.lost_right);
    }

    /// The row or column of the window that is compared with the edges of the image. With `only`
    /// 0, the loops have the bounds of all taps, and only the index of the pixel lacks i or j.
    static int place_in_window(int i, std::optional<int> only) {
        return only.value_or(0) != 0 ? *only : i;
    }

    bool is_in_last_word(int x, int c) const {
        if (rules_.word == 0 || x < image_.cols) return false;
        const int words = (image_.cols * channels_ + rules_.word - 1) / rules_.word;
        return x * channels_ + c < words * rules_.word;
    }

    double pixel_of(int x, int y, int i, int j, int c) const {
        if (rules_.exchanged) return in_memory(y, x, c);
        if (!rules_.turned_x && !rules_.turned_y) return value(x, y, j, c);
        return in_memory(rules_.turned_x ? x - 2 * j : x, rules_.turned_y ? y - 2 * i : y, c);
    }

    /// The sum over the window around a pixel, added to `sum`.
    double window(double sum, int x, int y, int c) const {
        const int k = rules_.radius >= 0 ? rules_.radius : mask_.radius();
        const int height = rules_.width_for_height ? image_.cols : image_.rows;
        const int width = rules_.height_for_width ? image_.rows : image_.cols;
        double used_weights = 0;
        int turn = 0;
        for (int i = rules_.top - k; i <= k - rules_.bottom; ++i) {
            const int at_y = y + place_in_window(i, rules_.only_row) + rules_.shift_y;
            if (rules_.turn == Rules::of_row) turn = (i + k) * mask_.size;
            const int row = row_of(at_y, x, i, height);
            if (row == left_out) continue;
            for (int j = rules_.left - k; j <= k - rules_.right; ++j) {
                const int at_x = x + place_in_window(j, rules_.only_column) + rules_.shift_x;
                const int column = is_in_last_word(at_x, c) ? at_x : column_of(at_x, y, j, width);
                if (column == left_out || is_missing(x, y, c, at_x, at_y)) continue;
                const bool in_turn = rules_.turn != Rules::by_place;
                const double factor =
                    in_turn ? weight(turn / mask_.size, turn % mask_.size) : weight(i + k, j + k);
                ++turn;
                const double product = pixel_of(rules_.only_column == 0 ? x : column,
                                                rules_.only_row == 0 ? y : row, i, j, c) *
                                       factor;
                used_weights += factor;
                if (rules_.keeps_last_tap) sum = 0;
                sum += rules_.product == nullptr ? product : rules_.product(product);
                if (rules_.sum != nullptr) sum = rules_.sum(sum);
            }
            if (rules_.sum_of_rows != nullptr) sum = rules_.sum_of_rows(sum);
        }
        return divided(sum, used_weights, (2 * k + 1) * (2 * k + 1));
    }
};

}  // namespace

bool gives(const cv::Mat& out, const cv::Mat& image, const Mask& mask, const Rules& rules) {
    return out.size == image.size && out.type() == image.type() &&
           Mutant(image, mask, rules).compute([&](uchar value, int x, int y, int c) {
               return out.ptr(y, x)[c] == value;
           });
}

cv::Mat output_of(const cv::Mat& image, const Mask& mask, const Rules& rules) {
    cv::Mat out(image.size(), image.type());
    Mutant(image, mask, rules).compute([&](uchar value, int x, int y, int c) {
        out.ptr(y, x)[c] = value;
        return true;
    });
    return out;
}

}  // namespace mistakes
