#include "mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "harness/testing_guard.hpp"
#include "mutant.hpp"

namespace mistakes {
namespace {

using common::Block;
using upscale::Filter;

const std::string problem = "lab3-gaussian-upscale/README.md, \"The problem\": ";
const std::string phase = problem + "d = k + 0.25 if X is even d = k - 0.25 if X is odd";
const std::string centre =
    problem + "The source pixel that contains it is `c = X / 2` (rounded down).";
const std::string bell = problem + "w(dx, dy) = exp( -(dx^2 + dy^2) / (2 sigma^2) )";
const std::string mean = problem + "P = sum of w * I / sum of w";
const std::string border = problem + "coordinates clamped to the image";
const std::string rounding = problem + "rounded to nearest";
const std::string clamping = problem + "rounded to nearest and clamped to 0..255";

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
        in_axes("the output is shifted by one pixel: it is that of X + 1 or Y + 1", centre,
                {.swapped_parity = true, .shift_of_odd = 1}),
        in_axes("the output is shifted by one pixel: it is that of X - 1 or Y - 1", centre,
                {.swapped_parity = true, .shift = -1, .shift_of_odd = 1}),
        in_axes("odd pixels have the weights of even ones", phase, {.always_even = true}),
        in_axes("the centre is one source pixel too far right or down", centre, {.shift = 1}),
        in_axes("the centre is one source pixel too far left or up", centre, {.shift = -1}),
        in_axes("the centre of even pixels is one source pixel too far left or up: (X - 1) / 2",
                centre, {.shift_of_even = -1}),
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
        in_axes("coordinates are clamped from 1, not from 0", border, {.clamped_from = 1}),
        in_axes("coordinates are clamped to size - 2, not to size - 1", border,
                {.clamped_to_less = 1}),
        in_axes("coordinates are clamped to size, not to size - 1", border,
                {.clamped_to_less = -1}),
        in_axes("width and height are exchanged in the clamp of coordinates", border,
                {.other_bound = true}),
        in_axes("taps before the first pixel are skipped, and the sum is not normalised again",
                border, {.border = Axis::lost_before}),
        in_axes("taps after the last pixel are skipped, and the sum is not normalised again",
                border, {.border = Axis::lost_after})};
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
        in_axes("sigma is taken to be 2 sigma", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / (8 * s * s)); })}),
        in_axes("sigma is taken to be sigma / 2", bell,
                {.weight = with([s](double d) { return std::exp(-2 * d * d / (s * s)); })}),
        in_axes("sigma is squared twice", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / (2 * s * s * s * s)); })}),
        in_axes("the exponent is divided by sigma, not by 2 sigma^2", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / s); })}),
        in_axes("the exponent is divided by 4 sigma^2, not by 2 sigma^2", bell,
                {.weight = with([s](double d) { return std::exp(-d * d / (4 * s * s)); })}),
        in_axes("sigma is truncated to an integer", bell,
                {.weight = with([n = std::floor(s)](double d) {
                     return n > 0 ? std::exp(-d * d / (2 * n * n)) : 0;
                 })}),
        in_axes("the exponent lacks its sign, and weights grow with the distance", bell,
                {.weight = with([s](double d) { return std::exp(d * d / (2 * s * s)); })}),
        in_axes("the exponent has d, not d^2", bell,
                {.weight = with([s](double d) { return std::exp(-d / (2 * s * s)); })}),
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
            {"the mean is rounded down after 1 is added",
             rounding,
             {.convert = [](double value) { return floored(value + 1); }}},
            {"the sum is not clamped to 0..255 and wraps around: no clamp, or one after the "
             "conversion to a byte",
             clamping,
             {.convert = wrapped}},
            {"the sum is truncated, and not clamped to 0..255",
             clamping,
             {.convert =
                  [](double v) {
                      return static_cast<double>(static_cast<long>(std::trunc(v)) & 255);
                  }}},
            {"the sum of a row of taps is not set to 0 for each row", mean, {.kept = Rules::row}},
            {"the sum is not set to 0 for each channel", mean, {.kept = Rules::channel}},
            {"the sum is not set to 0 for each pixel", mean, {.kept = Rules::pixel}},
            {"the source row is computed from X, not from Y", centre, {.y_of_x = true}},
            {"the source column is computed from Y, not from X", centre, {.x_of_y = true}},
            {"the output pixels (2x + 1, 2y) and (2x, 2y + 1) are exchanged",
             centre,
             {.phases_exchanged = true}},
            {"the sum of the weights has each weight once per channel: a third of the mean",
             mean,
             {.weights_per_channel = true}},
            {"x and y are exchanged where the input is read", centre, {.exchanged = true}},
            {"x and y are exchanged where the input is read, and in the clamps",
             centre,
             {.x = {.other_bound = true}, .y = {.other_bound = true}, .exchanged = true}},
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
            {"the sum of a row of taps is rounded to a byte before the rows are added",
             rounding,
             {.of_a_row = rounded}},
            {"the sum of a row of taps is truncated to an integer before the rows are added",
             rounding,
             {.of_a_row = [](double value) { return std::trunc(value); }}},
            {"the sum is an integer: each product is truncated before it is added",
             rounding,
             {.product = [](double value) { return std::trunc(value); }}},
            {"the sum is a byte: it wraps around",
             rounding,
             {.convert =
                  [](double value) {
                      return static_cast<double>(static_cast<long>(std::floor(value)) & 255);
                  },
              .product = [](double value) { return std::trunc(value); }}},
            {"the fourth byte of a pixel leaks into a colour", mean, {.channels = {1, 2, 3}}},
            {"the fourth byte of a pixel leaks into a colour", mean, {.channels = {3, 0, 1}}},
            {"the channels are swapped (RGB for BGR)", mean, {.channels = {2, 1, 0}}},
            {"every channel is computed from channel 0", mean, {.channels = {0, 0, 0}}},
            {"every channel is computed from channel 2", mean, {.channels = {2, 2, 2}}},
            {"channel c is computed from channel c + 1", mean, {.channels = {1, 2, 0}}},
            {"channel c is computed from channel c - 1", mean, {.channels = {2, 0, 1}}},
            {"channels 1 and 2 are swapped", mean, {.channels = {0, 2, 1}}}};
}

using Groups = std::vector<std::vector<Named>>;

/// A number of elements in place of a number of bytes, in a copy of the used weights or of all.
Groups copy_mistakes(const upscale::Weights& weights) {
    Groups groups;
    for (const std::size_t number :
         {std::size_t(2 * weights.radius + 1), std::size(weights.values)}) {
        const int copied = static_cast<int>(number / sizeof(float));
        const auto weight = [=](int k, int parity) {
            const int at = weights.radius + (parity == 0 ? k : -k);
            return at < copied ? double{weights.values[at]} : 0.0;
        };
        groups.push_back(
            in_axes("only the first quarter of the weights is there, the others are 0: "
                    "a number of weights in place of a number of bytes (sizeof)",
                    mean, {.weight = weight, .divided = Axis::nothing}));
    }
    return groups;
}

Groups tile_mistakes(const Block& block, int radius) {
    const auto with_halo = [block](int before, int after, bool in_x, bool in_y) {
        const auto axis = [=](int size, bool changed) {
            return changed ? Axis{.block = size, .halo_before = before, .halo_after = after}
                           : Axis{};
        };
        return Rules{.x = axis(block.width, in_x), .y = axis(block.height, in_y)};
    };
    Groups groups;
    const auto add = [&](const std::string& what, int before, int after) {
        const std::string name = "the halo of a block's tile is " + what;
        groups.push_back({{name, mean, with_halo(before, after, true, true)},
                          {name + " (in x only)", mean, with_halo(before, after, true, false)},
                          {name + " (in y only)", mean, with_halo(before, after, false, true)}});
    };
    add("missing", 0, 0);
    add("missing on the left and above", 0, radius);
    add("missing on the right and below", radius, 0);
    if (radius < 2) return groups;
    add("one source pixel too small", radius - 1, radius - 1);
    add("one source pixel too small on the left and above", radius - 1, radius);
    add("one source pixel too small on the right and below", radius, radius - 1);
    for (int size = radius - 2; size > 0; --size) {
        add(std::to_string(radius - size) + " source pixels too small", size, size);
    }
    return groups;
}

Groups all_groups(const Filter& filter, std::optional<Block> block) {
    Groups groups = axis_mistakes();
    const auto add = [&groups](Groups more) {
        for (auto& group : more) groups.push_back(std::move(group));
    };
    if (filter.method == upscale::Method::gauss) add(weight_mistakes(filter));
    add(copy_mistakes(filter.weights()));
    groups.push_back(value_mistakes());
    if (block) add(tile_mistakes(*block, filter.weights().radius));
    return groups;
}

harness::KnownMistake known(const Named& mistake, const cv::Mat& image, const Filter& filter) {
    return {mistake.name,
            [image, weights = filter.weights(), rules = mistake.rules](const cv::Mat& out) {
                return gives(out, image, weights, rules);
            },
            mistake.passage};
}

}  // namespace

std::vector<harness::KnownMistake> of(const cv::Mat& image, const Filter& filter,
                                      std::optional<Block> block) {
    if (filter.method == upscale::Method::learned) return {};
    std::vector<harness::KnownMistake> all;
    for (const auto& group : all_groups(filter, block)) {
        for (const Named& mistake : group) all.push_back(known(mistake, image, filter));
    }
    all.push_back(known({"rows are read as if they had no padding: row y begins y * pitch values "
                         "after row 0, not y * width * channels",
                         "common/include/common/view.hpp",
                         {}},
                        harness::read_without_pitch(image), filter));
    return all;
}

std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image, const Filter& filter,
                                            std::optional<Block> block) {
    if (filter.method == upscale::Method::learned) return {};
    std::vector<harness::KnownMistake> all;
    const Groups groups = all_groups(filter, block);
    const auto add = [&](const Named& a, const Named& b, const Rules& rules) {
        all.push_back(known({a.name + "; and " + b.name, a.passage, rules}, image, filter));
    };
    const std::vector<Named> values = value_mistakes();
    for (const auto& group : groups) {
        if (group.size() != 3 || !group[1].name.ends_with(" (in x only)")) continue;
        // One mistake along an axis, and one of the values.
        for (const Named& value : values) {
            for (const Named& axis : group) {
                Rules rules = value.rules;
                rules.x = axis.rules.x;
                rules.y = axis.rules.y;
                add(axis, value, rules);
            }
        }
        // Pairs of mistakes: both in the same axes, or one in x and the other in y.
        for (const auto& other : groups) {
            if (&other == &group || other.size() != 3 || !other[2].name.ends_with(" (in y only)")) {
                continue;
            }
            add(group[1], other[2], {.x = group[1].rules.x, .y = other[2].rules.y});
            if (&other < &group) continue;
            add(group[0], other[0],
                {.x = joined(group[0].rules.x, other[0].rules.x),
                 .y = joined(group[0].rules.y, other[0].rules.y)});
        }
    }
    return all;
}

bool kept_weights(const Filter& filter, const Filter& earlier, const cv::Mat& in,
                  const cv::Mat& out) {
    constexpr auto learned = upscale::Method::learned;
    if (filter.method == learned || earlier.method == learned) return false;
    const upscale::Weights all = earlier.weights();
    upscale::Weights first = all;
    first.radius = filter.weights().radius;
    const Axis as_they_are{.divided = Axis::nothing};
    const Rules rules{.x = as_they_are, .y = as_they_are};
    return gives(out, in, all, rules) || gives(out, in, first, rules);
}

}  // namespace mistakes
