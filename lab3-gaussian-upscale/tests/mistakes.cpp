#include "mistakes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "harness/device.hpp"
#include "problem/oracle.hpp"

namespace mistakes {
namespace {

using common::Block;
using upscale::Filter;
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
    int shift_of_odd = 0;
    enum Border {
        clamped,
        skipped,
        not_normalised,
        reflected,
        reflected_101,
        wraps,
        read
    } border{};
    int clamped_to_less = 0;  ///< of the upper end
    int block = 0;            ///< taps beyond the tile of a block are replaced by the nearest in it
    int halo = 0;             ///< of the tile, in source pixels
};

struct Rules {
    Axis x{}, y{};
    double (*convert)(double) = rounded;
    double (*between_passes)(double) = nullptr;  ///< applied to the sums along columns
    std::array<int, 3> channels{0, 1, 2};        ///< 3 is the fourth byte of a pixel, 255
};

/// A tap: a source pixel (-1: a guard byte) and its weight.
using Taps = std::vector<std::pair<int, double>>;

int place(int at, int size, const Axis& axis) {
    const int last = size - 1 - axis.clamped_to_less;
    if (axis.clamped_to_less < 0 && at >= size) return -1;
    if (at >= 0 && at <= last) return at;
    switch (axis.border) {
        case Axis::reflected:
            return std::clamp(at < 0 ? -1 - at : 2 * size - 1 - at, 0, size - 1);
        case Axis::reflected_101:
            return std::clamp(at < 0 ? -at : 2 * size - 2 - at, 0, size - 1);
        case Axis::wraps:
            return ((at % size) + size) % size;
        case Axis::read:
            return -1;
        default:
            return std::clamp(at, 0, std::max(last, 0));
    }
}

Taps taps_of(int output, int size, const Filter& filter, const Axis& axis) {
    const upscale::Weights weights = filter.weights();
    const auto weight = [&](int k, int parity) {
        if (axis.weight) return axis.weight(k, parity);
        return double{weights.at(parity == 0 ? k : -k)};
    };
    const int odd = output % 2;
    const int parity = axis.always_even ? 0 : axis.swapped_parity ? 1 - odd : odd;
    const int centre = output / 2 + axis.shift + (odd == 1 ? axis.shift_of_odd : 0);
    Taps taps;
    double sum = 0;
    for (int k = -weights.radius; k <= weights.radius; ++k) {
        const double w = weight(k, parity);
        const int number = axis.mirrored && odd == 1 ? -k : k;
        const bool left_out =
            number < axis.first - weights.radius || number > weights.radius - axis.last;
        if (left_out && !axis.loses_weight) continue;
        int at = centre + k;
        const bool outside = at < 0 || at >= size;
        if (!(outside && axis.border == Axis::skipped)) sum += w;
        if (left_out ||
            (outside && (axis.border == Axis::skipped || axis.border == Axis::not_normalised))) {
            continue;
        }
        if (axis.block > 0) {
            const int begin = output / axis.block * axis.block;
            at = std::clamp(at, begin / 2 - axis.halo, (begin + axis.block - 1) / 2 + axis.halo);
        }
        taps.emplace_back(place(at, size, axis), w);
    }
    for (auto& [at, w] : taps) {
        if (axis.divided == Axis::by_sum) w /= sum;
        if (axis.divided == Axis::by_taps) w /= 2.0 * weights.radius + 1;
    }
    return taps;
}

/// The means before the conversion to a byte: CV_64F, twice as wide and high.
cv::Mat means(const cv::Mat& in, const Filter& filter, const Rules& rules) {
    const int channels = in.channels();
    cv::Mat result(2 * in.rows, 2 * in.cols, CV_64FC(channels));
    for (int Y = 0; Y < result.rows; ++Y) {
        const Taps rows = taps_of(Y, in.rows, filter, rules.y);
        for (int X = 0; X < result.cols; ++X) {
            const Taps columns = taps_of(X, in.cols, filter, rules.x);
            for (int c = 0; c < channels; ++c) {
                const int from = channels == 3 ? rules.channels[static_cast<std::size_t>(c)] : c;
                double mean = 0;
                for (const auto& [x, wx] : columns) {
                    double along = 0;
                    for (const auto& [y, wy] : rows) {
                        const bool outside = x < 0 || y < 0;
                        along += wy * (from == 3 ? 255
                                       : outside ? harness::guard_byte
                                                 : in.ptr(y, x)[from]);
                    }
                    mean += wx *
                            (rules.between_passes != nullptr ? rules.between_passes(along) : along);
                }
                result.ptr<double>(Y)[X * channels + c] = mean;
            }
        }
    }
    return result;
}

/// True if every value of `out` is that of a mean, which may be off by float_error.
bool is_converted(const cv::Mat& out, const cv::Mat& means, const Rules& rules) {
    for (int y = 0; y < out.rows; ++y) {
        for (int i = 0; i < out.cols * out.channels(); ++i) {
            const double mean = means.ptr<double>(y)[i];
            const double value = out.ptr(y)[i];
            if (value != rules.convert(mean - float_error) &&
                value != rules.convert(mean + float_error)) {
                return false;
            }
        }
    }
    return true;
}

const std::string problem = "lab3-gaussian-upscale/README.md, \"The problem\": ";
const std::string phase = problem + "d = k + 0.25 if X is even d = k - 0.25 if X is odd";
const std::string centre =
    problem + "The source pixel that contains it is `c = X / 2` (rounded down).";
const std::string bell = problem + "w(dx, dy) = exp( -(dx^2 + dy^2) / (2 sigma^2) )";
const std::string mean = problem + "P = sum of w * I / sum of w";
const std::string border = problem + "coordinates clamped to the image";
const std::string rounding = problem + "rounded to nearest";
const std::string clamping =
    problem + "Sums with negative weights can leave 0..255. They are clamped.";

struct Named {
    std::string name;
    std::string passage;
    Rules rules;
};

/// The mistake in x, in y and in both.
std::vector<Named> in_axes(const std::string& name, const std::string& passage, const Axis& axis) {
    return {{name, passage, {.x = axis, .y = axis}},
            {name + " (in x only)", passage, {.x = axis}},
            {name + " (in y only)", passage, {.y = axis}}};
}

std::vector<std::vector<Named>> axis_mistakes() {
    return {
        in_axes("the phases of even and odd pixels are swapped", phase, {.swapped_parity = true}),
        in_axes("odd pixels have the weights of even ones", phase, {.always_even = true}),
        in_axes("the centre is one source pixel too far right or down", centre, {.shift = 1}),
        in_axes("the centre is one source pixel too far left or up", centre, {.shift = -1}),
        in_axes("the centre of odd pixels is (X + 1) / 2, not X / 2", centre, {.shift_of_odd = 1}),
        in_axes("the last tap is left out (k < r for k <= r), and the sum is not normalised again",
                mean, {.last = 1, .loses_weight = true}),
        in_axes("the first tap is left out, and the sum is not normalised again", mean,
                {.first = 1, .loses_weight = true}),
        in_axes("the last tap is left out (k < r for k <= r), and the sum is not normalised again",
                mean, {.last = 1, .loses_weight = true, .mirrored = true}),
        in_axes("the first tap is left out, and the sum is not normalised again", mean,
                {.first = 1, .loses_weight = true, .mirrored = true}),
        in_axes("the last tap is left out (k < r for k <= r)", mean, {.last = 1}),
        in_axes("the first tap is left out", mean, {.first = 1}),
        in_axes("the radius is one too small, and the sum is not normalised again", mean,
                {.first = 1, .last = 1, .loses_weight = true}),
        in_axes("the radius is one too small", mean, {.first = 1, .last = 1}),
        in_axes("taps outside the image are skipped instead of clamped to it", border,
                {.border = Axis::skipped}),
        in_axes("taps outside the image are skipped, and the sum is not divided by what is left of "
                "the weights",
                border, {.border = Axis::not_normalised}),
        in_axes("the border is reflected, with the edge twice", border,
                {.border = Axis::reflected}),
        in_axes("the border is reflected, with the edge once", border,
                {.border = Axis::reflected_101}),
        in_axes("the border wraps around to the other side of the image", border,
                {.border = Axis::wraps}),
        in_axes("taps outside the image are read: coordinates are not clamped", border,
                {.border = Axis::read}),
        in_axes("coordinates are clamped to size - 2, not to size - 1", border,
                {.clamped_to_less = 1}),
        in_axes("coordinates are clamped to size, not to size - 1", border,
                {.clamped_to_less = -1})};
}

/// A Gaussian's weights computed from another formula.
std::vector<std::vector<Named>> weight_mistakes(const Filter& filter) {
    const double s = filter.sigma;
    const auto with = [](auto w, double even = 0.25, double odd = -0.25) {
        return [=](int k, int parity) { return w(k + (parity == 0 ? even : odd)); };
    };
    const auto right = [s](double d) { return std::exp(-d * d / (2 * s * s)); };
    return {
        in_axes("the phase is half an output pixel off: samples at X/2 instead of (X+0.5)/2 - 0.5",
                phase, {.weight = with(right, 0, -0.5)}),
        in_axes("the phase is missing: d = k for even and odd pixels", phase,
                {.weight = with(right, 0, 0)}),
        in_axes("the phase is 0.5, not 0.25", phase, {.weight = with(right, 0.5, -0.5)}),
        in_axes("the weights are not normalised: the sum is not divided by the sum of the weights",
                mean, {.weight = with(right), .divided = Axis::nothing}),
        in_axes("the sum is divided by the number of taps, not by the sum of the weights", mean,
                {.weight = with(right), .divided = Axis::by_taps}),
        in_axes("the exponent lacks the 2 of 2 sigma^2", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / (s * s)); })}),
        in_axes("the exponent has sigma, not sigma^2", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / (2 * s)); })}),
        in_axes("the exponent has |d|, not d^2", bell,
                {.weight = with([s](double d) { return std::exp(-std::fabs(d) / (2 * s * s)); })}),
        in_axes("the exponent is divided by 2 and multiplied by sigma^2", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / 2 * s * s); })}),
        in_axes("all weights are equal", bell, {.weight = [](int, int) { return 1.0; }})};
}

std::vector<Named> value_mistakes() {
    return {{"the mean is truncated instead of rounded to nearest", rounding, {.convert = floored}},
            {"the mean is rounded up",
             rounding,
             {.convert = [](double value) { return std::clamp(std::ceil(value), 0.0, 255.0); }}},
            {"0.5 is added twice",
             rounding,
             {.convert = [](double value) { return rounded(value + 0.5); }}},
            {"the sum is not clamped to 0..255 and wraps around", clamping, {.convert = wrapped}},
            {"the sum is not clamped to 0 from below",
             clamping,
             {.convert = [](double v) { return v < 0 ? wrapped(v) : rounded(v); }}},
            {"the sum is not clamped to 255 from above",
             clamping,
             {.convert = [](double v) { return v > 255 ? wrapped(v) : rounded(v); }}},
            {"the vertical pass rounds its sums to bytes before the horizontal one",
             rounding,
             {.between_passes = rounded}},
            {"the vertical pass truncates its sums to bytes before the horizontal one",
             rounding,
             {.between_passes = floored}},
            {"the fourth byte of a pixel leaks into a colour", mean, {.channels = {1, 2, 3}}},
            {"the fourth byte of a pixel leaks into a colour", mean, {.channels = {3, 0, 1}}},
            {"the channels are swapped (RGB for BGR)", mean, {.channels = {2, 1, 0}}},
            {"every channel is computed from channel 0", mean, {.channels = {0, 0, 0}}},
            {"channels 1 and 2 are swapped", mean, {.channels = {0, 2, 1}}}};
}

}  // namespace

std::vector<harness::KnownMistake> of(const cv::Mat& image, const Filter& filter,
                                      std::optional<Block> block) {
    if (filter.method == upscale::Method::learned) return {};
    std::vector<harness::KnownMistake> all;
    const auto add = [&](const Named& mistake, const cv::Mat& from) {
        all.push_back({mistake.name,
                       [from, filter, rules = mistake.rules](const cv::Mat& out) {
                           return is_converted(out, means(from, filter, rules), rules);
                       },
                       mistake.passage});
    };
    std::vector<std::vector<Named>> groups = axis_mistakes();
    if (filter.method == upscale::Method::gauss) {
        for (auto& group : weight_mistakes(filter)) groups.push_back(std::move(group));
    }
    groups.push_back(value_mistakes());
    if (block) {
        const auto with_halo = [block](int halo) {
            return Rules{.x = {.block = block->width, .halo = halo},
                         .y = {.block = block->height, .halo = halo}};
        };
        const std::string halo = "the halo of a block's tile is ";
        groups.push_back({{halo + "missing", mean, with_halo(0)}});
        const int radius = filter.weights().radius;
        if (radius > 1) {
            groups.push_back({{halo + "one source pixel too small", mean, with_halo(radius - 1)}});
        }
    }
    for (const auto& group : groups) {
        for (const Named& mistake : group) add(mistake, image);
    }
    add({"rows are read as if they had no padding: row y begins y * pitch values after row 0, not "
         "y "
         "* width * channels",
         "common/include/common/view.hpp",
         {}},
        harness::read_without_pitch(image));
    return all;
}

}  // namespace mistakes
