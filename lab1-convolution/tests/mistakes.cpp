#include "mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "mutant.hpp"
#include "named.hpp"

namespace mistakes {
namespace {

/// Another rule for taps outside the image: on all sides, or on some.
std::vector<Named> other_borders() {
    const std::pair<std::string, Rules::Outside> kinds[] = {
        {"the border is replicated: taps outside the image are clamped to it", Rules::replicated},
        {"the border is reflected, with the edge twice", Rules::reflected},
        {"the border is reflected, with the edge once", Rules::reflected_101},
        {"the border wraps around to the other side of the image", Rules::wraps},
        {"taps outside the image are read, not left out", Rules::read}};
    std::vector<Named> all;
    for (const auto& [name, outside] : kinds) {
        for (const auto& [sides, both, x, y] :
             {std::tuple{Rules::all, "", " (in x only)", " (in y only)"},
              {Rules::lower, " (on the left and above only)", " (on the left only)",
               " (above only)"},
              {Rules::upper, " (on the right and below only)", " (on the right only)",
               " (below only)"}}) {
            all.push_back({name + both, {.in_x = outside, .in_y = outside, .sides = sides}});
            all.push_back({name + x, {.in_x = outside, .sides = sides}});
            all.push_back({name + y, {.in_y = outside, .sides = sides}});
        }
    }
    return all;
}

std::vector<Named> border_mistakes() {
    std::vector<Named> all = other_borders();
    const std::vector<Named> bounds{
        {"the bound of x is the height, not the width", {.height_for_width = true}},
        {"the bound of y is the width, not the height", {.width_for_height = true}},
        {"width and height are exchanged in the bounds of x and y",
         {.height_for_width = true, .width_for_height = true}},
        {"the first tap of a row is that of -y, not of -x: max(-k, -y)", {.y_for_x = true}},
        {"the first row of taps is that of -x, not of -y: max(-k, -x)", {.x_for_y = true}},
        {"the first taps are those of the other axis: max(-k, -y) for x, max(-k, -x) for y",
         {.y_for_x = true, .x_for_y = true}},
        {"column x - j is read, not x + j", {.turned_x = true}},
        {"row y - i is read, not y + i", {.turned_y = true}},
        {"column x - j and row y - i are read, not x + j and y + i",
         {.turned_x = true, .turned_y = true}},
        {"a tap is left out at both ends of a row: its distance has lost its sign",
         {.both_ends_in_x = true}},
        {"a tap is left out at both ends of a column: its distance has lost its sign",
         {.both_ends_in_y = true}},
        {"a tap is left out at both ends of rows and columns: its distance has lost its sign",
         {.both_ends_in_x = true, .both_ends_in_y = true}},
        {"x and y are exchanged where the input is read", {.exchanged = true}},
        {"x and y are exchanged where the input is read, and in the bounds",
         {.exchanged = true, .height_for_width = true, .width_for_height = true}},
        {"column 0 counts as outside (x + j > 0 for x + j >= 0)", {.lost_left = 1}},
        {"the last column counts as outside (width - 1 for width)", {.lost_right = 1}},
        {"row 0 counts as outside (y + i > 0 for y + i >= 0)", {.lost_top = 1}},
        {"the last row counts as outside (height - 1 for height)", {.lost_bottom = 1}},
        {"row 0 and column 0 count as outside (> 0 for >= 0)", {.lost_left = 1, .lost_top = 1}},
        {"the last row and the last column count as outside (size - 1 for size)",
         {.lost_right = 1, .lost_bottom = 1}},
        {"the first and the last rows and columns count as outside",
         {.lost_left = 1, .lost_right = 1, .lost_top = 1, .lost_bottom = 1}},
        {"a column left of the image is read", {.lost_left = -1}},
        {"a column right of the image is read (x + j <= width for x + j < width)",
         {.lost_right = -1}},
        {"a row above the image is read", {.lost_top = -1}},
        {"a row below the image is read (y + i <= height for y + i < height)", {.lost_bottom = -1}},
        {"a row below and a column right of the image are read (<= for <)",
         {.lost_right = -1, .lost_bottom = -1}},
        {"the padding after a row counts as pixels: the bytes of its last word of 4 are not tested",
         {.word = 4}},
        {"pixels whose window leaves the image are 0", {.edge = Rules::zero}},
        {"pixels whose window leaves the image are copied from the input",
         {.edge = Rules::copied}}};
    all.insert(all.end(), bounds.begin(), bounds.end());
    return all;
}

std::vector<Named> value_mistakes() {
    const auto from_channel = [](auto channel) {
        Rules rules;
        rules.channel = channel;
        return rules;
    };
    const auto as_integer = [](double value) { return std::trunc(value); };
    const auto as_byte = [](double value) { return static_cast<double>(wrapped(value)); };
    const auto as_signed_byte = [](double value) {
        return static_cast<double>(static_cast<signed char>(wrapped(value)));
    };
    const auto as_short = [](double value) {
        return static_cast<double>(static_cast<std::int16_t>(static_cast<long>(value)));
    };
    const auto as_unsigned_short = [](double value) {
        return static_cast<double>(static_cast<std::uint16_t>(static_cast<long>(value)));
    };
    return {
        {"the sum is rounded to nearest instead of truncated", {.to_pixel = rounded}, truncation},
        {"1 is added before the sum is truncated",
         {.to_pixel = [](double sum) { return truncated(std::floor(sum) + 1); }},
         truncation},
        {"the sum is rounded up instead of truncated",
         {.to_pixel = [](double sum) { return truncated(std::ceil(sum)); }},
         truncation},
        {"the sum is not clamped to 0..255 and wraps around: no clamp, or one after the conversion "
         "to a byte",
         {.to_pixel = wrapped}},
        {"the sum is not clamped to 0 from below: negative sums wrap around",
         {.to_pixel = [](double sum) { return sum < 0 ? wrapped(sum) : truncated(sum); }}},
        {"the sum is not clamped to 255 from above: large sums wrap around",
         {.to_pixel = [](double sum) { return sum > 255 ? wrapped(sum) : truncated(sum); }}},
        {"the sum is rounded to nearest, and not clamped to 0..255",
         {.to_pixel = [](double sum) { return wrapped(std::floor(sum + 0.5)); }}},
        {"the sum's magnitude is taken instead of a clamp to 0",
         {.to_pixel = [](double sum) { return truncated(std::fabs(sum)); }}},
        {"the sum is clamped to 0..254 (< 255 for <=)",
         {.to_pixel = [](double sum) { return std::min(truncated(sum), uchar{254}); }}},
        {"the sum is clamped to 0..256: 256 becomes 0",
         {.to_pixel = [](double sum) { return wrapped(std::clamp(sum, 0.0, 256.0)); }}},
        {"the sum is clamped to -128..127 (a signed byte)",
         {.to_pixel = [](double sum) { return wrapped(std::clamp(sum, -128.0, 127.0)); }}},
        {"the sum is an integer: each product is truncated before it is added",
         {.product = as_integer},
         truncation},
        {"the sum is an integer: it is truncated after each addition",
         {.sum = as_integer},
         truncation},
        {"the sum is a byte: it wraps around after each addition",
         {.product = as_integer, .sum = as_byte}},
        {"the sum is a byte: it wraps around after each addition", {.sum = as_byte}},
        {"the sum is a signed byte: it wraps around after each addition",
         {.product = as_integer, .sum = as_signed_byte}},
        {"the sum is a signed byte: it wraps around after each addition", {.sum = as_signed_byte}},
        {"the sum has 16 bits: it is truncated after each addition", {.sum = as_short}},
        {"the sum has 16 bits without a sign: negative ones wrap around",
         {.sum = as_unsigned_short}},
        {"each product is a byte: it wraps around before it is added", {.product = as_byte}},
        {"each product is clamped to 0..255 before it is added",
         {.product = [](double value) { return std::clamp(value, 0.0, 255.0); }}},
        {"the sum is clamped to 0..255 after each addition, not at the end",
         {.sum = [](double value) { return std::clamp(value, 0.0, 255.0); }}},
        {"the sum is clamped to 0..255 after each row of the mask, not at the end",
         {.sum_of_rows = [](double value) { return std::clamp(value, 0.0, 255.0); }}},
        {"the sum is truncated to an integer after each row of the mask",
         {.sum_of_rows = as_integer},
         truncation},
        {"the sum is not set to 0 for each channel", {.reset = Rules::each_pixel}},
        {"the sum is not set to 0 for each pixel, only for each row", {.reset = Rules::each_row}},
        {"the neighbour j columns away is taken j values away, not j * channels",
         {.tap_distance = 1}},
        {"the neighbour j columns away is taken j values away, not j * channels",
         {.tap_distance = 1, .edge_in_values = true}},
        {"only the last product of the sum is kept (= for +=)", {.keeps_last_tap = true}},
        {"the neighbour j columns away is taken 3 * j values away, whatever the number of channels",
         {.tap_distance = 3}},
        {"every channel is computed from channel 0", from_channel([](int, int) { return 0; })},
        {"every channel is computed from the last channel",
         from_channel([](int, int channels) { return channels - 1; })},
        {"the channels are swapped (RGB for BGR)",
         from_channel([](int c, int channels) { return channels - 1 - c; })},
        {"channel c is computed from channel c + 1",
         from_channel([](int c, int channels) { return (c + 1) % channels; })},
        {"channel c is computed from channel c - 1",
         from_channel([](int c, int channels) { return (c + channels - 1) % channels; })}};
}

/// A buffer for the sums of a row that is not cleared for each row.
std::vector<Named> buffer_mistakes() {
    std::vector<Named> all;
    for (int threads = 1; threads <= 8; ++threads) {
        all.push_back(
            {"only the first quarter of a row's sums is set to 0, the others keep those of "
             "the row before: a number of values in place of a number of bytes (sizeof)",
             {.kept_from = 1, .parts = threads}});
        all.push_back({"the sums of a row are not set to 0, and keep those of the row before",
                       {.kept_from = 0, .parts = threads}});
    }
    return all;
}

std::vector<Named> tile_mistakes(const common::Block& block) {
    const auto without = [&](Rules::Missing missing) {
        return Rules{.block = block, .missing = missing};
    };
    const std::string zero = "taps in the tiles of other blocks count as 0: ";
    return {{zero + "the halo is not loaded", without(Rules::any_other)},
            {zero + "the corners of the halo are not loaded", without(Rules::corners)},
            {zero + "the halo on the left is not loaded", without(Rules::on_the_left)},
            {zero + "the halo on the right is not loaded", without(Rules::on_the_right)},
            {zero + "the halo above is not loaded", without(Rules::above)},
            {zero + "the halo below is not loaded", without(Rules::below)}};
}

/// The edge of a part of the image, taken for that of the image: of some values of a row, of some
/// rows, or of a thread's rows.
std::vector<Named> part_mistakes() {
    std::vector<Named> all;
    const auto add = [&](const char* taps, const std::string& part, const Rules& rules,
                         Rules::Missing missing) {
        all.push_back({fmt::format("taps {} {} are left out: its edge is taken for that of the "
                                   "image",
                                   taps, part),
                       rules});
        all.back().rules.missing = missing;
    };
    for (int values = 16; values <= 4096; values *= 2) {
        const std::string part = fmt::format("a strip of {} values of a row", values);
        add("outside", part, {.strip = values}, Rules::any_other);
        add("before", part, {.strip = values}, Rules::on_the_left);
        add("after", part, {.strip = values}, Rules::on_the_right);
    }
    const auto add_rows = [&](const std::string& part, const Rules& rules) {
        add("outside", part, rules, Rules::any_other);
        add("above", part, rules, Rules::above);
        add("below", part, rules, Rules::below);
    };
    for (int rows = 2; rows <= 64; rows *= 2) {
        add_rows(fmt::format("a strip of {} rows", rows), {.block = common::Block{1 << 30, rows}});
    }
    for (int threads = 2; threads <= 8; ++threads) {
        add_rows(fmt::format("the rows of a thread (of {})", threads),
                 {.parts = threads, .ends_in_parts = true});
    }
    return all;
}

/// The same mistakes in one of two parts of the image, which a variant may compute by two
/// functions.
std::vector<Named> in_parts(const std::vector<Named>& mistakes) {
    std::vector<Named> all;
    for (const Named& mistake : mistakes) {
        all.push_back(mistake);
        all.back().name += "; only in the interior, where windows lie inside the image";
        all.back().rules.where = Rules::in_interior;
        all.push_back(mistake);
        all.back().name += "; only at the edge, where windows leave the image";
        all.back().rules.where = Rules::at_edge;
    }
    return all;
}

/// All single mistakes, grouped by what they change. A pair of mistakes has one of each of two
/// groups.
std::vector<std::vector<Named>> all_groups(int k, const std::optional<common::Block>& block) {
    std::vector<std::vector<Named>> groups{weight_mistakes(), window_mistakes(k), border_mistakes(),
                                           value_mistakes()};
    for (Named& mistake : groups[2]) mistake.passage = border;
    if (block) groups.push_back(tile_mistakes(*block));
    return groups;
}

/// Combines two mistakes: the rules of `first`, overwritten by those rules of `second` that differ
/// from the definition.
Rules joined(const Rules& first, const Rules& second) {
    const Rules right;
    Rules all = first;
    const auto take = [&](auto... member) {
        ((second.*member != right.*member ? void(all.*member = second.*member) : void()), ...);
    };
    take(&Rules::converted_weight, &Rules::to_pixel, &Rules::product, &Rules::sum,
         &Rules::sum_of_rows, &Rules::divided, &Rules::both_ends_in_x, &Rules::both_ends_in_y,
         &Rules::top, &Rules::bottom, &Rules::left, &Rules::right, &Rules::shift_x, &Rules::shift_y,
         &Rules::only_row, &Rules::only_column, &Rules::turn, &Rules::turned_x, &Rules::turned_y,
         &Rules::y_for_x, &Rules::x_for_y, &Rules::exchanged, &Rules::in_x, &Rules::in_y,
         &Rules::sides, &Rules::height_for_width, &Rules::width_for_height, &Rules::lost_left,
         &Rules::lost_right, &Rules::lost_top, &Rules::lost_bottom, &Rules::word, &Rules::edge,
         &Rules::reset, &Rules::keeps_last_tap, &Rules::tap_distance, &Rules::edge_in_values,
         &Rules::radius, &Rules::missing);
    if (second.block) all.block = second.block;
    return all;
}

}  // namespace

std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image, const Mask& mask,
                                            std::optional<common::Block> block) {
    std::vector<harness::KnownMistake> all;
    const auto groups = all_groups(mask.radius(), block);
    for (std::size_t one = 0; one < groups.size(); ++one) {
        for (std::size_t other = one + 1; other < groups.size(); ++other) {
            for (const Named& a : groups[one]) {
                for (const Named& b : groups[other]) {
                    // joined() cannot compare functions. The channel function is copied from `b` if
                    // its group sets channels.
                    Rules rules = joined(a.rules, b.rules);
                    if (other == 3) rules.channel = b.rules.channel;
                    all.push_back({a.name + "; and " + b.name,
                                   [image, mask, rules](const cv::Mat& out) {
                                       return gives(out, image, mask, rules);
                                   },
                                   a.passage});
                }
            }
        }
    }
    return all;
}

std::vector<harness::KnownMistake> of(const cv::Mat& image, const Mask& mask,
                                      std::optional<common::Block> block) {
    std::vector<harness::KnownMistake> all;
    auto groups = all_groups(mask.radius(), block);
    groups.push_back(buffer_mistakes());
    groups.push_back(part_mistakes());
    for (const std::size_t group : {0, 1, 3}) groups.push_back(in_parts(groups[group]));
    for (const auto& group : groups) {
        for (const Named& mistake : group) {
            all.push_back({mistake.name,
                           [image, mask, rules = mistake.rules](const cv::Mat& out) {
                               return gives(out, image, mask, rules);
                           },
                           mistake.passage});
        }
    }
    all.push_back(
        {"rows are read as if they had no padding: row y begins y * pitch values after row "
         "0, not y * width * channels",
         harness::is([image, mask] {
             const cv::Mat read = harness::read_without_pitch(image);
             return output_of(read, mask, Rules{});
         }),
         "common/include/common/view.hpp"});
    return all;
}

}  // namespace mistakes
