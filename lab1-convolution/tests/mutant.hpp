#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>

#include "common/options.hpp"
#include "problem/variant.hpp"

// The definition with one thing changed, as a student's mistake would change it.
namespace mistakes {

using convolution::Mask;

uchar truncated(double sum);
uchar rounded(double sum);
uchar wrapped(double sum);

/// The definition. A mistake changes one member.
struct Rules {
    /// The weight for row i and column j of the window, both from 0.
    std::function<double(const Mask&, int i, int j)> weight = [](const Mask& mask, int i, int j) {
        return double{mask.at(i, j)};
    };
    uchar (*to_pixel)(double) = truncated;
    bool truncates_products = false;

    // Rows and columns of the window that are left out.
    int top = 0, bottom = 0, left = 0, right = 0;
    // The window lies elsewhere.
    int shift_x = 0, shift_y = 0;

    // Taps outside the image, in x and in y.
    enum Outside { skipped, read, replicated, reflected, reflected_101, wraps } in_x{}, in_y{};
    // Pixels at each side that count as outside; negative: pixels outside that are read.
    int lost_left = 0, lost_right = 0, lost_top = 0, lost_bottom = 0;
    // Windows that leave the image.
    enum Edge { cut, zero, copied } edge = cut;

    enum Reset { each_value, each_pixel, each_row } reset = each_value;
    bool keeps_last_tap = false;  ///< = for +=
    int tap_distance = 0;         ///< in values; 0: the number of channels
    bool edge_in_values = false;  ///< of a row, for taps
    int radius = -1;              ///< of a smaller window with the first weights of the mask; -1: k
    std::function<int(int c, int channels)> channel = [](int c, int) { return c; };
    std::optional<common::Block> block{};  ///< taps of other blocks count as zero
};

/// The output of the definition with these rules.
cv::Mat output_of(const cv::Mat& image, const Mask& mask, const Rules& rules);

}  // namespace mistakes
