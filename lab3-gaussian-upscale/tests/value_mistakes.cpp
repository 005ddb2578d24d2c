// Mistakes in the sum and its conversion, in coordinates and in channels.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "named.hpp"

namespace mistakes {
namespace {

using Conversion = double (*)(double);

double clamped(double sum) {
    return std::clamp(sum, 0.0, 255.0);
}

/// Rounds, and clamps from below, from above or not at all: then a value wraps around.
Rules converting(Conversion to_integer, bool from_below, bool from_above) {
    return {.convert = [=](double sum) {
        const double value = to_integer(sum);
        if (value < 0 && from_below) return 0.0;
        if (value > 255 && from_above) return 255.0;
        return static_cast<double>(static_cast<long>(value) & 255);
    }};
}

/// Each rounding with each clamp, but for the right ones.
std::vector<Named> conversions(bool leaves_bytes) {
    const Conversion truncated[] = {[](double value) { return std::floor(value); },
                                    [](double value) { return std::trunc(value); }};
    const Conversion nearest[] = {[](double value) { return std::floor(value + 0.5); },
                                  [](double value) { return std::trunc(value + 0.5); }};
    const Conversion up[] = {[](double value) { return std::ceil(value); }};
    std::vector<Named> all;
    const auto add = [&all](const std::string& how, std::span<const Conversion> conversions) {
        for (const Conversion one : conversions) {
            all.push_back({"the sum is " + how +
                               "not clamped to 0..255 and wraps around: no clamp, or "
                               "one after the conversion to a byte",
                           clamping, converting(one, false, false)});
            all.push_back({"the sum is " + how + "not clamped to 0 from below", clamping,
                           converting(one, false, true)});
            all.push_back({"the sum is " + how + "not clamped to 255 from above", clamping,
                           converting(one, true, false)});
        }
    };
    all.push_back({"the mean is truncated instead of rounded to nearest", rounding,
                   converting(truncated[0], true, true)});
    all.push_back({"the mean is rounded up", rounding, converting(up[0], true, true)});
    if (!leaves_bytes) return all;
    add("", nearest);
    add("truncated, and ", truncated);
    add("rounded up, and ", up);
    return all;
}

/// X and Y exchanged in one term of the definition.
std::vector<Named> exchanged_coordinates() {
    const Axis other_centre{.other_centre = true};
    const Axis other_phase{.other_phase = true};
    const Axis other{.other_centre = true, .other_phase = true};
    return {{"the source row is computed from X, not from Y", centre, {.y = other}},
            {"the source column is computed from Y, not from X", centre, {.x = other}},
            {"the source row is computed from X, the source column from Y",
             centre,
             {.x = other, .y = other}},
            {"the phase of the rows is that of X, not of Y", phase, {.y = other_phase}},
            {"the phase of the columns is that of Y, not of X", phase, {.x = other_phase}},
            {"the output pixels (2x + 1, 2y) and (2x, 2y + 1) are exchanged",
             centre,
             {.x = other_phase, .y = other_phase}},
            {"the centre of the rows is X / 2, not Y / 2 (with the phase of Y)",
             centre,
             {.y = other_centre}},
            {"the centre of the columns is Y / 2, not X / 2 (with the phase of X)",
             centre,
             {.x = other_centre}},
            {"the centres are exchanged: X / 2 for rows, Y / 2 for columns",
             centre,
             {.x = other_centre, .y = other_centre}},
            {"the row and the column of a tap have one number: i for j, or j for i",
             mean,
             {.diagonal = Rules::mirrored}},
            {"the row and the column of a tap have one number: i for j",
             mean,
             {.diagonal = Rules::plain_of_x}},
            {"the row and the column of a tap have one number: j for i",
             mean,
             {.diagonal = Rules::plain_of_y}}};
}

std::string on_side(const std::string& channel, const std::string& side) {
    return channel.empty() ? "" : channel + side;
}

std::string both(const std::string& before, const std::string& after) {
    return before + (before.empty() || after.empty() ? "" : " and ") + after;
}

}  // namespace

std::vector<Named> border_channel_mistakes() {
    const std::pair<Axis::Channel, std::string> channels[] = {
        {Axis::own, ""},
        {Axis::first_channel, "channel 0"},
        {Axis::last_channel, "the last channel"},
        {Axis::in_reverse, "the channels in reverse order"}};
    const std::string name = "all channels outside the image are taken from ";
    std::vector<Named> all;
    for (const auto& [before, first] : channels) {
        for (const auto& [after, last] : channels) {
            if (before == Axis::own && after == Axis::own) continue;
            const Axis axis{.channel_before = before, .channel_after = after};
            all.push_back(
                {name + both(on_side(first, " on the left"), on_side(last, " on the right")),
                 border,
                 {.x = axis}});
            all.push_back({name + both(on_side(first, " above"), on_side(last, " below")),
                           border,
                           {.y = axis}});
        }
    }
    return all;
}

std::vector<Named> value_mistakes(bool leaves_bytes) {
    std::vector<Named> all = conversions(leaves_bytes);
    const std::vector<Named> more{
        {"0.5 is added twice",
         rounding,
         {.convert = [](double value) { return rounded(value + 0.5); }}},
        {"the mean is rounded down after 1 is added",
         rounding,
         {.convert = [](double value) { return floored(value + 1); }}},
        {"the sum of a row of taps is not set to 0 for each row", mean, {.kept = Rules::row}},
        {"the sum is not set to 0 for each channel", mean, {.kept = Rules::channel}},
        {"the sum is not set to 0 for each pixel", mean, {.kept = Rules::pixel}},
        {"the sum of the weights has each weight once per channel: a third of the mean",
         mean,
         {.weights_per_channel = true}},
        {"x and y are exchanged where the input is read", centre, {.exchanged = true}},
        {"x and y are exchanged where the input is read, and in the clamps",
         centre,
         {.x = {.other_bound = true}, .y = {.other_bound = true}, .exchanged = true}},
        {"the vertical pass rounds its sums to bytes before the horizontal one",
         rounding,
         {.between_passes = rounded}},
        {"the vertical pass truncates its sums to bytes before the horizontal one",
         rounding,
         {.between_passes = floored}},
        {"the vertical pass clamps its sums to 0..255 before the horizontal one",
         clamping,
         {.between_passes = clamped}},
        {"the horizontal pass clamps its sums to 0..255 before the vertical one",
         clamping,
         {.of_a_row = clamped}},
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
    all.insert(all.end(), more.begin(), more.end());
    for (Named& one : exchanged_coordinates()) all.push_back(std::move(one));
    return all;
}

}  // namespace mistakes
