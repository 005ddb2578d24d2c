#include "testing_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness {
namespace {

constexpr int shown_rows = 6;
constexpr int shown_columns = 7;
constexpr std::size_t most_width = 96;

std::string value_text(const cv::Mat& image, int x, int y, int c) {
    const int i = x * image.channels() + c;
    switch (image.depth()) {
        case CV_8U:
            return std::to_string(image.ptr<uchar>(y)[i]);
        case CV_32S:
            return std::to_string(image.ptr<int>(y)[i]);
        default:
            return std::to_string(image.ptr<std::int64_t>(y)[i]);  // see int64_carrier
    }
}

/// The part of an image that is shown.
struct Window {
    const cv::Mat& image;
    int x, y, c, columns, rows;

    Window(const cv::Mat& of, int centre_x, int centre_y, int channel, int most_columns)
        : image(of),
          c(std::min(channel, of.channels() - 1)),
          columns(std::min(most_columns, of.cols)),
          rows(std::min(shown_rows, of.rows)) {
        x = std::clamp(centre_x - columns / 2, 0, of.cols - columns);
        y = std::clamp(centre_y - rows / 2, 0, of.rows - rows);
    }

    std::string text(int column, int row) const {
        return value_text(image, x + column, y + row, c);
    }
};

/// The lines of a grid, of equal width; values with a `difference`, which is not 0, are marked.
std::vector<std::string> grid(const Window& window, const std::string& title,
                              const Window* difference = nullptr) {
    std::size_t cell = std::to_string(window.x + window.columns - 1).size();
    for (int row = 0; row < window.rows; ++row) {
        for (int i = 0; i < window.columns; ++i) cell = std::max(cell, window.text(i, row).size());
    }
    cell += 1;
    const std::size_t label = std::to_string(window.y + window.rows - 1).size() + 2;
    std::vector<std::string> lines{"", std::string(label, ' ')};
    for (int i = 0; i < window.columns; ++i) {
        lines[1] += fmt::format("{:>{}} ", window.x + i, cell - 1);
    }
    for (int row = 0; row < window.rows; ++row) {
        std::string line = fmt::format("{:>{}}: ", window.y + row, label - 2);
        for (int i = 0; i < window.columns; ++i) {
            const std::string text = window.text(i, row);
            const bool wrong = difference != nullptr && difference->text(i, row) != "0";
            line += fmt::format("{:>{}}{}", text, cell - 1, wrong ? '*' : ' ');
        }
        lines.push_back(line);
    }
    lines[0] = fmt::format("{:<{}}", title, lines[1].size());
    const std::size_t width = std::max(lines[0].size(), lines[1].size());
    for (std::string& line : lines) line.resize(width, ' ');
    return lines;
}

}  // namespace

std::string picture(const VariantCall& variant_call, const Finding& finding) {
    if (!variant_call.expected || finding.verdict.ok()) return "";
    const cv::Mat right = variant_call.expected(finding.in);
    const Verdict& wrong = finding.verdict;
    const int in_x = wrong.x * finding.in.cols / std::max(right.cols, 1);
    const int in_y = wrong.y * finding.in.rows / std::max(right.rows, 1);
    for (int columns = shown_columns; columns > 1; --columns) {
        const Window difference(wrong.difference, wrong.x, wrong.y, wrong.c, columns);
        const std::vector<std::string> parts[] = {
            grid({finding.in, in_x, in_y, wrong.c, columns}, "input"),
            grid({right, wrong.x, wrong.y, wrong.c, columns}, "expected"),
            grid({finding.out, wrong.x, wrong.y, wrong.c, columns}, "got (* is wrong)",
                 &difference)};
        if (parts[0][0].size() + parts[1][0].size() + parts[2][0].size() + 10 > most_width)
            continue;
        std::string text = fmt::format(
            "\n    {}x{}{}{}, columns and rows around (x={}, y={}):", finding.in.cols,
            finding.in.rows, variant_call.parameters.empty() ? "" : ", " + variant_call.parameters,
            finding.in.channels() > 1 ? fmt::format(", channel {}", wrong.c) : "", wrong.x,
            wrong.y);
        for (std::size_t i = 0; i < parts[1].size(); ++i) {
            std::string line = "\n    ";
            for (const auto& part : parts) {
                line += i < part.size() ? part[i] : std::string(part[0].size(), ' ');
                line += "  ";
            }
            line.erase(line.find_last_not_of(' ') + 1);
            text += line;
        }
        return text;
    }
    return "";
}

}  // namespace harness
