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

/// The definition. A mistake changes one member, or some that belong together.
struct Rules {
    /// The weight for row i and column j of the window, both from 0.
    std::function<double(const Mask&, int i, int j)> weight = [](const Mask& mask, int i, int j) {
        return double{mask.at(i, j)};
    };
    double (*converted_weight)(double) = nullptr;

    uchar (*to_pixel)(double) = truncated;
    double (*product)(double) = nullptr;      ///< as it is added
    double (*sum)(double) = nullptr;          ///< after each addition: the type of the sum
    double (*sum_of_rows)(double) = nullptr;  ///< after each row of the mask
    enum {
        by_nothing,
        by_used_weights,  ///< if they are positive
        by_used_unless_zero,
        by_all_weights,
        by_taps,
        by_size
    } divided = by_nothing;

    // Rows and columns of the window that are left out.
    int top = 0, bottom = 0, left = 0, right = 0;
    // The window lies elsewhere.
    int shift_x = 0, shift_y = 0;
    std::optional<int> only_row{}, only_column{};  ///< the one that all taps read
    /// Taps outside the image do not skip their weights: the others take the weights of the mask,
    /// or of its row, in turn.
    enum Turn { by_place, of_mask, of_row } turn = by_place;
    bool turned_x = false, turned_y = false;  ///< the pixel in column x - j, in row y - i is read
    bool exchanged = false;                   ///< the pixel in column y + i of row x + j is read
    /// A tap is left out at both ends of a row (x) or a column (y), as if its distance had no sign.
    bool both_ends_in_x = false, both_ends_in_y = false;

    // Taps outside the image, in x and in y.
    enum Outside { skipped, read, replicated, reflected, reflected_101, wraps } in_x{}, in_y{};
    enum { all, lower, upper } sides = all;  ///< on which that is so; others are skipped
    // The bounds are those of the other axis.
    bool height_for_width = false, width_for_height = false;
    bool y_for_x = false, x_for_y = false;  ///< in the lower bounds, j >= -x and i >= -y
    // Width of the border of pixels that count as outside, on each side. If negative: width of the
    // border outside the image that is read.
    int lost_left = 0, lost_right = 0, lost_top = 0, lost_bottom = 0;
    int word = 0;  ///< bytes; the padding of a row up to the end of its last word counts as pixels
    // Windows that leave the image.
    enum Edge { cut, zero, copied } edge = cut;

    /// The pixels for which all of this holds; others are right.
    enum Where { everywhere, in_interior, at_edge } where = everywhere;

    enum Reset { each_value, each_pixel, each_row } reset = each_value;
    /// A buffer with the sums of a row keeps those of the row before from value `kept_from` of 4
    /// on: of a quarter of the row's values if it is 1. Each of `parts` threads has a buffer.
    int kept_from = 4, parts = 1;
    bool keeps_last_tap = false;  ///< = for +=
    int tap_distance = 0;         ///< in values; 0: the number of channels
    bool edge_in_values = false;  ///< of a row, for taps
    int radius = -1;              ///< of a smaller window with the first weights of the mask; -1: k
    std::function<int(int c, int channels)> channel = [](int c, int) { return c; };

    /// Taps in another block, or another strip of a row, or the rows of another one of `parts`
    /// threads than the pixel count as zero. `missing` says in which of them; any_other: in every
    /// one that differs in x or in y.
    std::optional<common::Block> block{};
    int strip = 0;               ///< in values; 0: a row is not divided
    bool ends_in_parts = false;  ///< the rows of a thread are taken for the image
    enum Missing { any_other, corners, on_the_left, on_the_right, above, below } missing{};
};

/// True if `out` is the output of the definition with these rules.
bool gives(const cv::Mat& out, const cv::Mat& image, const Mask& mask, const Rules& rules);

/// The output of the definition with these rules.
cv::Mat output_of(const cv::Mat& image, const Mask& mask, const Rules& rules);

}  // namespace mistakes
