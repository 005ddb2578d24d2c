#pragma once

#include <array>
#include <functional>
#include <opencv2/core.hpp>

#include "problem/weights.hpp"

// The definition with one thing changed, as a student's mistake would change it.
namespace mistakes {

double floored(double value);
double rounded(double value);
double wrapped(double value);

/// One axis of the definition. A mistake changes one member.
struct Axis {
    /// The weight of tap k for an even (0) or odd (1) output; by default the filter's.
    std::function<double(int k, int parity)> weight{};
    enum { by_sum, by_taps, nothing } divided = by_sum;
    bool swapped_parity = false;
    bool always_even = false;
    int first = 0, last = 0;    ///< taps left out at both ends; the others are normalised again
    bool loses_weight = false;  ///< they are not
    bool mirrored = false;      ///< the taps of odd outputs are counted from the other end
    int shift = 0;              ///< of the centre, in source pixels
    int shift_of_odd = 0, shift_of_even = 0;
    enum Border {
        clamped,
        skipped,
        not_normalised,
        reflected,
        reflected_101,
        in_order,  ///< the first radius pixels stand before the first one, and so at the end
        wraps,
        read,
        lost_before,
        lost_after
    } border{};
    int clamped_from = 0;      ///< the lower end
    int clamped_to_less = 0;   ///< of the upper end
    bool other_bound = false;  ///< the height for the width, or the width for the height
    bool other_centre = false, other_phase = false;  ///< that of X for rows, of Y for columns
    /// The channel of all channels' taps outside the image.
    enum Channel {
        own,
        first_channel,
        last_channel,
        in_reverse
    } channel_before = own,
      channel_after = own;
    /// A window that slides down segments of so many source pixels. It begins `late` pixels too
    /// late: taps from before count as 0.
    int segment = 0, late = 0;
    int block = 0;  ///< taps beyond a block's tile are replaced by the nearest in it
    int halo_before = 0, halo_after = 0;  ///< of the tile, in source pixels
};

struct Rules {
    Axis x{}, y{};
    std::function<double(double)> convert = rounded;
    double (*between_passes)(double) = nullptr;  ///< applied to the sums along columns
    double (*of_a_row)(double) = nullptr;  ///< applied to the sums along rows, which are first
    double (*product)(double) = nullptr;   ///< applied to a pixel times both weights
    /// A sum that is not reset keeps the sum of earlier rows of taps, of earlier channels, or of
    /// earlier pixels of the row.
    enum { nothing, row, channel, pixel } kept = nothing;
    bool exchanged = false;            ///< x and y, where the input is read
    bool weights_per_channel = false;  ///< the divisor has each weight once per channel
    /// One number for i and j where the input is read, with the weights of x or y. Taps of odd
    /// outputs are mirrored or not.
    enum Diagonal { none, mirrored, plain_of_x, plain_of_y } diagonal = none;
    std::array<int, 3> channels{0, 1, 2};  ///< 3 is the fourth byte of a pixel, 255
};

/// `first`, with the members of `second` that differ from the definition.
Axis joined(const Axis& first, const Axis& second);

/// True if every value of `out` is that of a mean with these rules, which may be off by
/// float_error.
bool gives(const cv::Mat& out, const cv::Mat& in, const upscale::Weights& weights,
           const Rules& rules);

}  // namespace mistakes
