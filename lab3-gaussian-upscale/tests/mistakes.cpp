#include "mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "harness/testing_guard.hpp"
#include "named.hpp"

namespace mistakes {
namespace {

using common::Block;
using upscale::Filter;

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
        in_axes(
            "outside the image, its first or last radius pixels are repeated in their order, not "
            "the edge",
            border, {.border = Axis::in_order}),
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

/// The tap's column or its row twice in a weight, in place of both.
std::vector<Named> tap_mistakes(const upscale::Weights& weights) {
    std::vector<Named> all;
    for (const auto divided : {Axis::nothing, Axis::by_sum}) {
        const auto squared = [weights](int k, int parity) {
            const double weight = weights.at(parity == 0 ? k : -k);
            return weight * weight;
        };
        const Axis twice{.weight = squared, .divided = divided};
        const Axis never{.weight = [](int, int) { return 1.0; }, .divided = divided};
        all.push_back({"a weight has the column of the tap twice, and not its row: w(i) w(i)",
                       bell,
                       {.x = twice, .y = never}});
        all.push_back({"a weight has the row of the tap twice, and not its column: w(j) w(j)",
                       bell,
                       {.x = never, .y = twice}});
    }
    return all;
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

/// The edge of a part of the image, taken for that of the image.
std::vector<Named> part_mistakes() {
    std::vector<Named> all;
    constexpr int far = 1 << 20;
    for (int length = 2; length <= 1024; length *= 2) {
        for (const auto& [edge, strip] :
             {std::pair{"edge", Axis{.block = length}},
              {"last row or column", {.block = length, .halo_before = far}},
              {"first row or column", {.block = length, .halo_after = far}}}) {
            const std::string clamped =
                fmt::format(": coordinates are clamped to its {}, not to that of the image", edge);
            all.push_back({fmt::format("a strip of {} output rows{}", length, clamped),
                           border,
                           {.y = strip}});
            all.push_back({fmt::format("a strip of {} output columns{}", length, clamped),
                           border,
                           {.x = strip}});
        }
    }
    return all;
}

/// A window that slides down segments of the image, and is not filled when it begins. Their length
/// is not known, but shorter than the longest probe: with one segment, this is a border.
std::vector<Named> window_mistakes(std::optional<Block> block, int radius) {
    std::vector<int> segments{2, 4, 8, 16, 32, 64, 128};
    if (block) segments.insert(segments.end(), {block->height, block->height / 2, block->width});
    std::erase_if(segments, [](int length) { return length < 2 || length > 128; });
    std::vector<Named> all;
    for (int late = 1; late <= 2 * radius; ++late) {
        const std::string name = "a sliding window begins " + std::to_string(late) +
                                 (late == 1 ? " source pixel" : " source pixels") +
                                 " too late: its first taps count as 0 where a segment begins";
        for (const int segment : segments) {
            const Axis axis{.segment = segment, .late = late};
            all.push_back({name + " (in y)", mean, {.y = axis}});
            all.push_back({name + " (in x)", mean, {.x = axis}});
        }
    }
    return all;
}

/// Whether means can lie outside 0..255.
bool leaves_bytes(upscale::Method method) {
    return method != upscale::Method::gauss && method != upscale::Method::bilinear;
}

Groups all_groups(const Filter& filter, std::optional<Block> block) {
    Groups groups = axis_mistakes();
    const auto add = [&groups](Groups more) {
        for (auto& group : more) groups.push_back(std::move(group));
    };
    if (filter.method == upscale::Method::gauss) add(weight_mistakes(filter));
    add(copy_mistakes(filter.weights()));
    groups.push_back(tap_mistakes(filter.weights()));
    groups.push_back(value_mistakes(leaves_bytes(filter.method)));
    groups.push_back(border_channel_mistakes());
    groups.push_back(window_mistakes(block, filter.weights().radius));
    groups.push_back(part_mistakes());
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
    const std::vector<Named> values = value_mistakes(leaves_bytes(filter.method));
    const std::vector<Named> all_values = value_mistakes(true);
    for (const auto& group : groups) {
        if (group.size() != 3 || !group[1].name.ends_with(" (in x only)")) continue;
        // One mistake along an axis, and one of the values.
        const bool is_divided = group[0].rules.x.divided == Axis::by_sum;
        for (const Named& value : is_divided ? values : all_values) {
            for (const Named& axis : group) {
                Rules rules = value.rules;
                rules.x = joined(value.rules.x, axis.rules.x);
                rules.y = joined(value.rules.y, axis.rules.y);
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
