#include "testing_places.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace harness {
namespace {

constexpr std::size_t most_listed = 6;
constexpr std::size_t least_pixels = 64;      // a smaller image has no parts
constexpr int least_repeats = 3;              // of a pattern
constexpr int groups[] = {64, 32, 16, 8, 4};  // values of a vector or a tile

/// The rows, or the columns, of an image; `wrong` has the numbers of those with a wrong value.
struct Lines {
    const char* name;  ///< "row"
    int size;
    int values;  ///< from one line to the next: the channels between columns
    std::vector<int> wrong;

    int first() const { return wrong.front(); }
    int last() const { return wrong.back(); }
    bool are_all() const { return static_cast<int>(wrong.size()) == size; }
};

Lines lines_of(const cv::Mat& wrong, bool rows, const char* name, int values) {
    Lines lines{name, rows ? wrong.rows : wrong.cols, values, {}};
    for (int i = 0; i < lines.size; ++i) {
        if (cv::countNonZero(rows ? wrong.row(i) : wrong.col(i)) > 0) lines.wrong.push_back(i);
    }
    return lines;
}

/// "rows 60 to 63": adjacent lines.
std::string range(const Lines& lines) {
    if (lines.wrong.size() == 1) {
        if (lines.first() == 0) return fmt::format("the first {}", lines.name);
        if (lines.last() == lines.size - 1) return fmt::format("the last {}", lines.name);
        return fmt::format("{} {}", lines.name, lines.first());
    }
    if (lines.last() < lines.size - 1) {
        return fmt::format("{}s {} to {}", lines.name, lines.first(), lines.last());
    }
    for (const int group : groups) {
        const int whole = lines.size * lines.values / group * group;
        if (whole > 0 && whole / lines.values == lines.first()) {
            return fmt::format("{}s from {} on, the rest after whole groups of {}", lines.name,
                               lines.first(), group);
        }
    }
    return fmt::format("{}s from {} on", lines.name, lines.first());
}

/// The wrong lines among each `period`, if they are the same from the first to the last wrong line.
std::vector<int> residues(const Lines& lines, int period) {
    std::vector<bool> is_wrong(static_cast<std::size_t>(period), false);
    for (const int i : lines.wrong) is_wrong[static_cast<std::size_t>(i % period)] = true;
    std::size_t expected = 0;
    for (int i = lines.first(); i <= lines.last(); ++i) {
        if (is_wrong[static_cast<std::size_t>(i % period)]) ++expected;
    }
    std::vector<int> all;
    if (expected != lines.wrong.size()) return all;
    for (int i = 0; i < period; ++i) {
        if (is_wrong[static_cast<std::size_t>(i)]) all.push_back(i);
    }
    return all;
}

/// "the last 2 rows of each 16", or "" if no pattern repeats.
std::string pattern(const Lines& lines) {
    for (int period = 2; period * (least_repeats - 1) <= lines.last() - lines.first(); ++period) {
        const std::vector<int> all = residues(lines, period);
        const auto count = static_cast<int>(all.size());
        if (count == 0 || count == period || all.back() - all.front() + 1 != count) continue;
        const std::string some = count == 1 ? lines.name : fmt::format("{} {}s", count, lines.name);
        if (all.back() == period - 1) return fmt::format("the last {} of each {}", some, period);
        if (all.front() == 0) return fmt::format("the first {} of each {}", some, period);
        return fmt::format("{} of each {}, from {} {} on", some, period, lines.name, lines.first());
    }
    return "";
}

std::string described(const Lines& lines) {
    if (lines.wrong.empty() || lines.are_all()) return "";
    if (lines.last() - lines.first() + 1 == static_cast<int>(lines.wrong.size())) {
        return range(lines);
    }
    const std::string repeated = pattern(lines);
    if (!repeated.empty() || lines.wrong.size() > most_listed) return repeated;
    return fmt::format("{}s {}", lines.name, fmt::join(lines.wrong, ", "));
}

}  // namespace

std::string place_of_wrong_values(const cv::Mat& difference) {
    const int channels = difference.channels();
    std::vector<cv::Mat> planes;
    cv::split(difference, planes);
    cv::Mat wrong = cv::Mat::zeros(difference.size(), CV_8UC1);
    std::vector<int> wrong_channels;
    for (int c = 0; c < channels; ++c) {
        const cv::Mat plane = planes[static_cast<std::size_t>(c)] != 0;
        if (cv::countNonZero(plane) > 0) wrong_channels.push_back(c);
        wrong |= plane;
    }
    std::vector<std::string> all{described(lines_of(wrong, true, "row", 1)),
                                 described(lines_of(wrong, false, "column", channels))};
    if (wrong_channels.size() == 1 && channels > 1) {
        all.push_back(fmt::format("channel {}", wrong_channels.front()));
    }
    std::erase(all, "");
    return fmt::format("{}", fmt::join(all, ", and "));
}

std::string place_of_wrong_values(std::vector<const Finding*> findings) {
    std::ranges::stable_sort(findings, std::greater{},
                             [](const Finding* one) { return one->out.total(); });
    for (const Finding* one : findings) {
        if (!one->call.empty() || one->verdict.ok() || one->out.total() < least_pixels) continue;
        const std::string text = place_of_wrong_values(one->verdict.difference);
        if (text.empty()) continue;
        return fmt::format("\n    wrong values of the {}x{}x{} output are only in: {}",
                           one->out.cols, one->out.rows, one->out.channels(), text);
    }
    return "";
}

}  // namespace harness
