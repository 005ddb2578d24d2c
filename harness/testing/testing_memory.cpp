#include "testing_memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "harness/device.hpp"
#include "harness/testing_guard.hpp"

namespace harness {
namespace {

/// The image whose rows lie one after the other in `memory`, without padding.
cv::Mat without_padding(const cv::Mat& memory, const cv::Rect& inside, const cv::Mat& like) {
    cv::Mat image(like.size(), like.type());
    const std::size_t bytes = image.total() * image.elemSize();
    const uchar* begin = memory.ptr(inside.y) + inside.x;
    if (static_cast<std::size_t>(memory.dataend - begin) < bytes) return {};
    std::memcpy(image.data, begin, bytes);
    return image;
}

/// The number of changed bytes after the end of each row of the image, if it is the same in every
/// row and nothing else is changed around the image; otherwise 0.
int changed_after_each_row(const cv::Mat& memory, const cv::Rect& inside) {
    const int right = inside.x + inside.width;
    int least = memory.cols;
    for (int y = 0; y < memory.rows; ++y) {
        const uchar* row = memory.ptr(y);
        const auto is_changed = [](uchar b) { return b != guard_byte; };
        const bool beside = y >= inside.y && y < inside.y + inside.height;
        if (std::any_of(row, row + (beside ? inside.x : memory.cols), is_changed)) return 0;
        if (!beside) continue;
        const auto* end = std::find_if_not(row + right, row + memory.cols, is_changed);
        if (std::any_of(end, row + memory.cols, is_changed)) return 0;
        least = std::min(least, static_cast<int>(end - (row + right)));
    }
    return least;
}

/// True if only the row below the image is changed, as far as the image is wide.
bool changed_in_next_row_only(cv::Mat memory, const cv::Rect& inside) {
    if (inside.y + inside.height >= memory.rows) return false;
    cv::Rect larger = inside;
    ++larger.height;
    return first_damage(memory, larger).empty();
}

/// The numbers of `where` that are set, as "0, 1" or "8 to 11".
std::string numbers(const std::vector<bool>& where) {
    std::vector<int> set;
    for (std::size_t i = 0; i < where.size(); ++i) {
        if (where[i]) set.push_back(static_cast<int>(i));
    }
    const bool adjacent =
        set.size() > 2 && set.back() - set.front() + 1 == static_cast<int>(set.size());
    if (adjacent) return fmt::format("{} to {}", set.front(), set.back());
    const std::size_t shown = std::min<std::size_t>(set.size(), 6);
    return fmt::format("{}{}", fmt::join(set.begin(), set.begin() + static_cast<int>(shown), ", "),
                       set.size() > shown ? ", …" : "");
}

/// The values of an output that are never written.
class Unwritten {
  public:
    Unwritten(const Outcome& first, const Outcome& last)
        : height_(first.out.rows), width_(first.out.cols), channels_(first.out.channels()) {
        const std::size_t size = first.out.elemSize1();
        for (int y = 0; y < height_; ++y) {
            for (int i = 0; i < width_ * channels_; ++i) {
                const auto untouched = [&](const Outcome& outcome) {
                    const uchar* bytes = outcome.out.ptr(y) + static_cast<std::size_t>(i) * size;
                    return std::all_of(bytes, bytes + size,
                                       [&](uchar b) { return b == outcome.fill; });
                };
                values_.push_back(untouched(first) && untouched(last));
            }
        }
    }

    Unwritten(int width, int height, int channels, std::vector<bool> values)
        : height_(height), width_(width), channels_(channels), values_(std::move(values)) {}

    bool at(int x, int y, int c) const {
        return values_[static_cast<std::size_t>((y * width_ + x) * channels_ + c)];
    }

    std::int64_t count() const { return std::count(values_.begin(), values_.end(), true); }

    /// ": rows 0, 1", or "" if the values are not whole lines or a rectangle.
    std::string parts() const {
        const auto [rows, columns, channels] = lines();
        if (!are_all_in(rows, columns, channels)) return rectangle();
        std::string text;
        const auto add = [&text](const char* one, const char* several,
                                 const std::vector<bool>& which) {
            const auto number = std::count(which.begin(), which.end(), true);
            if (number == 0) return;
            text += text.empty() ? ": " : " and ";
            text += number == 1 ? one : several;
            text += ' ' + numbers(which);
            if (number == 1 && which.size() > 1 && which.back()) text += " (the last)";
        };
        add("channel", "channels", channels);
        add("column", "columns", columns);
        add("row", "rows", rows);
        return text;
    }

    std::string text(std::optional<Block> block, cv::Size in) const {
        if (count() == 0) return "";
        if (count() == static_cast<std::int64_t>(values_.size())) {
            return "the output is never written";
        }
        const char* are = count() == 1 ? "value is" : "values are";
        return fmt::format("{} {} never written{}", count(), are, place(block, in));
    }

  private:
    int height_, width_, channels_;
    std::vector<bool> values_;

    /// The rows, columns and channels that are unwritten as a whole.
    struct Lines {
        std::vector<bool> rows, columns, channels;
    };

    Lines lines() const {
        Lines all{std::vector<bool>(static_cast<std::size_t>(height_), true),
                  std::vector<bool>(static_cast<std::size_t>(width_), true),
                  std::vector<bool>(static_cast<std::size_t>(channels_), channels_ > 1)};
        for (int y = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x) {
                for (int c = 0; c < channels_; ++c) {
                    if (at(x, y, c)) continue;
                    all.rows[static_cast<std::size_t>(y)] = false;
                    all.columns[static_cast<std::size_t>(x)] = false;
                    all.channels[static_cast<std::size_t>(c)] = false;
                }
            }
        }
        return all;
    }

    bool are_all_in(const std::vector<bool>& rows, const std::vector<bool>& columns,
                    const std::vector<bool>& channels) const {
        for (int y = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x) {
                for (int c = 0; c < channels_; ++c) {
                    if (at(x, y, c) && !rows[static_cast<std::size_t>(y)] &&
                        !columns[static_cast<std::size_t>(x)] &&
                        !channels[static_cast<std::size_t>(c)]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// ": columns 8 to 19 of rows 0 to 3" if these are all unwritten values.
    std::string rectangle() const {
        cv::Mat unwritten(height_, width_ * channels_, CV_8UC1);
        std::copy(values_.begin(), values_.end(), unwritten.data);
        const cv::Rect box = cv::boundingRect(unwritten);
        if (box.x % channels_ + box.width % channels_ > 0 || box.area() != count()) return "";
        const auto range = [](const char* what, int first, int size) {
            return size == 1 ? fmt::format("{} {}", what, first)
                             : fmt::format("{}s {} to {}", what, first, first + size - 1);
        };
        return fmt::format(": {} of {}", range("column", box.x / channels_, box.width / channels_),
                           range("row", box.y, box.height));
    }

    /// The hint for a grid or a loop that counts pixels, where a thread or a step has one value:
    /// the values of a row from the width on are unwritten, or from the end of the last block on.
    std::string counted_as_pixels(std::optional<Block> block) const {
        const auto length = static_cast<std::size_t>(width_ * channels_);
        const auto first = static_cast<std::size_t>(
            std::find(values_.begin(), values_.begin() + width_ * channels_, true) -
            values_.begin());
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (values_[i] != (i % length >= first)) return "";
        }
        const auto pixels = static_cast<std::size_t>(width_);
        const auto of_block = static_cast<std::size_t>(block.value_or(Block{1, 1}).width);
        for (const std::size_t size : {std::size_t{1}, of_block, std::size_t{32}, std::size_t{64},
                                       std::size_t{128}, std::size_t{256}}) {
            if (channels_ == 1 || first != (pixels + size - 1) / size * size) continue;
            return fmt::format(
                "; of each row, {} of {} values are written: a grid or a loop counts pixels "
                "(width) where it has to count values (width * channels, row_length())",
                first, length);
        }
        return "";
    }

    std::string place(std::optional<Block> block, cv::Size in) const {
        const std::string covered = covers_input(block, in);
        if (!covered.empty()) return parts() + covered;
        const auto [rows, columns, channels] = lines();
        const std::string hint =
            are_all_in(rows, columns, channels)
                ? missing_blocks(rows, columns, block) + exchanged(rows, columns, block)
                : "";
        return parts() + hint + counted_as_pixels(block);
    }

    /// The hint for a grid, or loops, of the input's size, where the output is larger.
    std::string covers_input(std::optional<Block> block, cv::Size in) const {
        if (in.width >= width_ && in.height >= height_) return "";
        const Block size = block.value_or(Block{1, 1});
        const int columns = (in.width + size.width - 1) / size.width * size.width;
        const int rows = (in.height + size.height - 1) / size.height * size.height;
        for (int y = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x) {
                const bool covered = x < columns && y < rows;
                for (int c = 0; c < channels_; ++c) {
                    if (at(x, y, c) == covered) return "";
                }
            }
        }
        return fmt::format(
            "; the grid, or the loops, have the size of the input, {}x{}, not of "
            "the output",
            in.width, in.height);
    }

    /// The hint for exchanged loop bounds: x runs to the height or to the end of the last block of
    /// rows, or y runs to the width.
    std::string exchanged(const std::vector<bool>& rows, const std::vector<bool>& columns,
                          std::optional<Block> block) const {
        const auto ends_at = [](const std::vector<bool>& lines, int other, int size) {
            const auto first = std::find(lines.begin(), lines.end(), true);
            if (first == lines.end() || std::find(first, lines.end(), false) != lines.end()) {
                return false;
            }
            const auto number = static_cast<int>(first - lines.begin());
            return number == other || number == (other + size - 1) / size * size;
        };
        const Block size = block.value_or(Block{1, 1});
        if (ends_at(columns, height_, size.height) && height_ > 2) {
            return "; x runs to the height, not to the width: are x and y exchanged?";
        }
        if (ends_at(rows, width_, size.width) && width_ > 2) {
            return "; y runs to the width, not to the height: are x and y exchanged?";
        }
        return "";
    }

    /// The hint for a grid without the last, partial blocks.
    std::string missing_blocks(const std::vector<bool>& rows, const std::vector<bool>& columns,
                               std::optional<Block> block) const {
        if (!block) return "";
        const auto only_partial = [](const std::vector<bool>& lines, int size) {
            const int whole = static_cast<int>(lines.size()) / size * size;
            for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
                if (lines[static_cast<std::size_t>(i)] != (i >= whole)) return false;
            }
            return true;
        };
        const bool in_x = only_partial(columns, block->width);
        const bool in_y = only_partial(rows, block->height);
        if (!in_x || !in_y) return "";
        return "; the grid has no blocks for the last, partial tiles: the number of blocks has to "
               "be rounded up, and blocks in x belong to the width";
    }
};

/// Subtracts the fill, as a number of the output's type, from each value.
template <class T>
cv::Mat without_fill(const Outcome& outcome) {
    T fill;
    std::memset(&fill, outcome.fill, sizeof fill);
    cv::Mat rest = outcome.out.clone();
    for (int y = 0; y < rest.rows; ++y) {
        T* row = reinterpret_cast<T*>(rest.ptr(y));
        for (int i = 0; i < rest.cols * rest.channels(); ++i)
            row[i] = static_cast<T>(row[i] - fill);
    }
    return rest;
}

cv::Mat without_fill(const Outcome& outcome) {
    switch (outcome.out.elemSize1()) {
        case 1:
            return without_fill<std::uint8_t>(outcome);
        case 4:
            return without_fill<std::uint32_t>(outcome);
        default:
            return without_fill<std::uint64_t>(outcome);
    }
}

}  // namespace

std::string place_of_values(int width, int height, int channels, std::vector<bool> where) {
    const Unwritten values(width, height, channels, std::move(where));
    if (values.count() == 0) return "";
    if (values.count() == std::int64_t{width} * height * channels) return "all values";
    const std::string place = values.parts();
    return place.empty() ? fmt::format("{} values", values.count()) : place.substr(2);
}

std::string damage_of_output(const cv::Mat& memory, const cv::Rect& inside, const cv::Mat& out,
                             const std::function<bool(const cv::Mat&)>& is_right) {
    const std::string damage = first_damage(memory, inside);
    if (damage.empty()) return "";
    const cv::Mat packed = without_padding(memory, inside, out);
    if (out.rows > 1 && !packed.empty() && is_right(packed)) {
        return damage +
               ": the padding of rows (the pitch) is ignored; row y begins y * pitch values after "
               "row 0, not y * width * channels";
    }
    const int value = static_cast<int>(out.elemSize1());
    const int after = changed_after_each_row(memory, inside);
    if (out.channels() == 1 && after == 2 * value && is_right(out)) {
        return damage + ": the loop over channels runs to 3 where the image has 1 (in.channels)";
    }
    if (after == value * out.channels()) {
        return damage + ": one pixel after the end of each row (x <= width for x < width?)";
    }
    if (changed_in_next_row_only(memory, inside)) {
        return damage + ": one row below the last (y <= height for y < height?)";
    }
    return damage;
}

bool is_untouched(const Outcome& first, const Outcome& last, const Verdict& verdict) {
    return Unwritten(first, last).at(verdict.x, verdict.y, verdict.c);
}

std::string garbage_in(const Outcome& first, const Outcome& last, std::optional<Block> block,
                       cv::Size in) {
    const Unwritten unwritten(first, last);
    const auto values = static_cast<std::int64_t>(first.out.total()) *
                        static_cast<std::int64_t>(first.out.channels());
    if (unwritten.count() < values && equal_bytes(without_fill(first), without_fill(last))) {
        return "the result is added to what the output held before the call (+= without an "
               "assignment before it)";
    }
    return unwritten.text(block, in);
}

}  // namespace harness
