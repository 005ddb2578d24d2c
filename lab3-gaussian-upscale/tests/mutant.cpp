#include "mutant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "harness/device.hpp"
#include "harness/testing_guard.hpp"
#include "problem/oracle.hpp"

namespace mistakes {

using upscale::float_error;

double floored(double value) {
    return std::clamp(std::floor(value), 0.0, 255.0);
}

double rounded(double value) {
    return floored(value + 0.5);
}

double wrapped(double value) {
    return static_cast<double>(static_cast<long>(std::floor(value + 0.5)) & 255);
}

Axis joined(const Axis& first, const Axis& second) {
    const Axis right;
    Axis all = first;
    const auto take = [&](auto... member) {
        ((second.*member != right.*member ? void(all.*member = second.*member) : void()), ...);
    };
    take(&Axis::divided, &Axis::swapped_parity, &Axis::always_even, &Axis::first, &Axis::last,
         &Axis::loses_weight, &Axis::mirrored, &Axis::shift, &Axis::shift_of_odd,
         &Axis::shift_of_even, &Axis::border, &Axis::clamped_from, &Axis::clamped_to_less,
         &Axis::other_bound, &Axis::other_centre, &Axis::other_phase, &Axis::block,
         &Axis::halo_before, &Axis::halo_after);
    if (second.weight) all.weight = second.weight;
    return all;
}

namespace {

/// A source pixel, which may lie outside the image.
struct Tap {
    int at;
    double weight;
    Axis::Channel channel;
};
using Taps = std::vector<Tap>;

int place(int at, int size, int radius, const Axis& axis) {
    const int last = size - 1 - axis.clamped_to_less;
    if (at >= axis.clamped_from && at <= last) return at;
    switch (axis.border) {
        case Axis::reflected:
            return std::clamp(at < 0 ? -1 - at : 2 * size - 1 - at, 0, size - 1);
        case Axis::reflected_101:
            return std::clamp(at < 0 ? -at : 2 * size - 2 - at, 0, size - 1);
        case Axis::in_order:
            return std::clamp(at < 0 ? at + radius : at - radius, 0, size - 1);
        case Axis::wraps:
            return ((at % size) + size) % size;
        case Axis::read:
            return at;
        default:
            return std::max(axis.clamped_from, std::min(at, std::max(last, 0)));
    }
}

/// True for a tap outside the image that does not count.
bool is_lost(Axis::Border border, int at, int bound) {
    const bool all = border == Axis::skipped || border == Axis::not_normalised;
    return (at < 0 && (all || border == Axis::lost_before)) ||
           (at >= bound && (all || border == Axis::lost_after));
}

/// Distance of the centre tap from X / 2. For X = 0, (X - 1) / 2 is rounded towards zero and equals
/// X / 2.
int shift_of(int output, const Axis& axis) {
    if (output % 2 == 1) return axis.shift_of_odd;
    return output == 0 ? std::max(axis.shift_of_even, 0) : axis.shift_of_even;
}

/// True for a tap from before the first row of a window that begins too late.
bool is_late(const Axis& axis, int output, int tap) {
    return axis.segment > 0 && tap < axis.late - output / 2 % axis.segment;
}

Axis::Channel channel_of(const Axis& axis, int at, int bound) {
    return at < 0 ? axis.channel_before : at >= bound ? axis.channel_after : Axis::own;
}

/// An output's coordinate, the one along the other axis, and the size of the image along this axis,
/// as the mistake takes it.
struct Place {
    int output, other, bound;
};

Taps taps_of(const Place& where, const upscale::Weights& weights, const Axis& axis) {
    const int bound = where.bound;
    const int output = axis.other_centre ? where.other : where.output;
    const auto weight = [&](int k, int parity) {
        if (axis.weight) return axis.weight(k, parity);
        return double{weights.at(parity == 0 ? k : -k)};
    };
    const int odd = (axis.other_phase ? where.other : where.output) % 2;
    const int parity = axis.always_even ? 0 : axis.swapped_parity ? 1 - odd : odd;
    const int centre = output / 2 + axis.shift + shift_of(output, axis);
    Taps taps;
    double sum = 0;
    for (int k = -weights.radius; k <= weights.radius; ++k) {
        const double w = weight(k, parity);
        const int number = axis.mirrored && odd == 1 ? -k : k;
        const bool left_out =
            number < axis.first - weights.radius || number > weights.radius - axis.last;
        if (left_out && !axis.loses_weight) continue;
        int at = centre + k;
        const bool outside = at < 0 || at >= bound;
        if (!(outside && axis.border == Axis::skipped)) sum += w;
        if (left_out || is_lost(axis.border, at, bound)) continue;
        if (is_late(axis, output, weights.radius + k)) continue;
        const Axis::Channel channel = channel_of(axis, at, bound);
        if (axis.block > 0) {
            const int begin = output / axis.block * axis.block;
            at = std::clamp(at, begin / 2 - axis.halo_before,
                            (begin + axis.block - 1) / 2 + axis.halo_after);
        }
        taps.push_back({place(at, bound, weights.radius, axis), w, channel});
    }
    for (auto& [at, w, channel] : taps) {
        if (axis.divided == Axis::by_sum) w /= sum;
        if (axis.divided == Axis::by_taps) w /= 2.0 * weights.radius + 1;
    }
    return taps;
}

/// The image with what the tests have around it.
class Memory {
  public:
    explicit Memory(const cv::Mat& image)
        : image_(harness::guarded(harness::Shape::of(image), 0)),
          whole_(harness::surrounded(image_)) {
        image.copyTo(image_);
    }
    int channels() const { return image_.channels(); }
    double at(int x, int y, int c) const {
        const auto step = static_cast<std::ptrdiff_t>(image_.step[0]);
        const uchar* place = image_.data + y * step + std::ptrdiff_t{x} * image_.channels() + c;
        const bool known = place >= whole_.data && place < whole_.data + whole_.total();
        return known ? *place : harness::guard_byte;
    }

  private:
    cv::Mat image_;
    cv::Mat whole_;
};

/// The channel that is read for `channel`. The column decides in corners.
int channel_read(int channel, int channels, const Tap& column, const Tap& row) {
    const Axis::Channel from = column.channel != Axis::own ? column.channel : row.channel;
    if (from == Axis::in_reverse) return channels - 1 - channel;
    return from == Axis::own ? channel : from == Axis::first_channel ? 0 : channels - 1;
}

/// `error` is added to sums before they become integers: those of floats lie on either side of one.
double mean_of(const Memory& memory, const Taps& columns, const Taps& rows, int channel,
               const Rules& rules, double error) {
    const auto value = [&](const Tap& column, const Tap& row) {
        if (channel == 3) return 255.0;
        const int from = channel_read(channel, memory.channels(), column, row);
        return rules.exchanged ? memory.at(row.at, column.at, from)
                               : memory.at(column.at, row.at, from);
    };
    double mean = 0;
    if (rules.of_a_row != nullptr || rules.product != nullptr || rules.kept == Rules::row) {
        double along = 0;
        for (const Tap& y : rows) {
            if (rules.kept != Rules::row) along = 0;
            for (const Tap& x : columns) {
                const double product = x.weight * value(x, y);
                along += rules.product != nullptr ? rules.product(y.weight * product) : product;
            }
            mean += rules.product != nullptr
                        ? along
                        : y.weight *
                              (rules.of_a_row != nullptr ? rules.of_a_row(along + error) : along);
        }
        return mean;
    }
    for (const Tap& x : columns) {
        double along = 0;
        for (const Tap& y : rows) along += y.weight * value(x, y);
        mean += x.weight *
                (rules.between_passes != nullptr ? rules.between_passes(along + error) : along);
    }
    return mean;
}

/// The mean where i and j are one number. `turned`: the taps of x and y are numbered from opposite
/// ends.
double diagonal_mean(const Memory& memory, const Taps& columns, const Taps& rows, int channel,
                     const Rules& rules, bool turned) {
    double mean = 0;
    for (std::size_t i = 0; i < std::min(columns.size(), rows.size()); ++i) {
        const Tap& row = rows[turned ? rows.size() - 1 - i : i];
        const double weight = rules.diagonal == Rules::plain_of_y ? row.weight : columns[i].weight;
        mean += weight * memory.at(columns[i].at, row.at, channel);
    }
    return mean;
}

bool needs_other(const Axis& axis) {
    return axis.other_centre || axis.other_phase;
}

}  // namespace

bool gives(const cv::Mat& out, const cv::Mat& in, const upscale::Weights& weights,
           const Rules& rules) {
    const Memory memory(in);
    const int width = rules.x.other_bound ? in.rows : in.cols;
    const int height = rules.y.other_bound ? in.cols : in.rows;
    const int channels = in.channels();
    const int divisor = rules.weights_per_channel ? channels : 1;
    std::vector<Taps> columns;
    for (int X = 0; X < out.cols; ++X) {
        columns.push_back(taps_of({X, 0, width}, weights, rules.x));
    }
    for (int Y = 0; Y < out.rows; ++Y) {
        Taps rows = taps_of({Y, 0, height}, weights, rules.y);
        // A sum that is not reset depends on the order of the taps, which is reversed for odd rows.
        if (rules.kept == Rules::row && Y % 2 == 1) std::reverse(rows.begin(), rows.end());
        double kept = 0;
        for (int X = 0; X < out.cols; ++X) {
            if (rules.kept != Rules::pixel) kept = 0;
            Taps& own = columns[static_cast<std::size_t>(X)];
            if (needs_other(rules.x)) own = taps_of({X, Y, width}, weights, rules.x);
            if (needs_other(rules.y)) rows = taps_of({Y, X, height}, weights, rules.y);
            for (int c = 0; c < channels; ++c) {
                const int from = channels == 3 ? rules.channels[static_cast<std::size_t>(c)] : c;
                const bool turned = rules.diagonal == Rules::mirrored && (X + Y) % 2 == 1;
                const auto mean_with = [&](double error) {
                    const double sum = rules.diagonal == Rules::none
                                           ? mean_of(memory, own, rows, from, rules, error)
                                           : diagonal_mean(memory, own, rows, from, rules, turned);
                    return kept + sum / divisor;
                };
                const auto explains = [&, value = out.ptr(Y, X)[c]](double mean) {
                    return value == rules.convert(mean - float_error) ||
                           value == rules.convert(mean + float_error);
                };
                const double mean = mean_with(0);
                const auto jumps_to_it = [&](double error) {
                    const double other = mean_with(error);
                    return std::abs(other - mean) > 2 * float_error && explains(other);
                };
                if (!explains(mean) && !jumps_to_it(-float_error) && !jumps_to_it(float_error)) {
                    return false;
                }
                if (rules.kept == Rules::channel || rules.kept == Rules::pixel) kept = mean;
            }
        }
    }
    return true;
}

}  // namespace mistakes
