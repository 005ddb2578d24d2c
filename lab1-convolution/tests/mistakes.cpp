#include "mistakes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/ranks.hpp"
#include "mutant.hpp"

namespace mistakes {
namespace {

const std::string problem = "lab1-convolution/README.md, \"The problem\": ";
const std::string formula =
    problem +
    "out(x, y, c) = clamp( sum over i, j in [-k, k] of I(x+j, y+i, c) * K[i+k][j+k],  0, "
    "255 )";
const std::string border = problem + "Taps outside the image are left out.";
const std::string truncation = problem + "converted to 8 bits by truncation";
const std::string not_flipped = problem + "The mask is not flipped";

struct Named {
    std::string name;
    Rules rules;
    std::string passage = formula;
};

std::vector<Named> weight_mistakes() {
    const auto with = [](auto at) {
        Rules rules;
        rules.weight = [at](const Mask& mask, int i, int j) {
            const int index = at(i, j, mask.size);
            const bool exists = index >= 0 && index < mask.size * mask.size;
            return exists ? double{mask.weights[index]} : 0.0;
        };
        return rules;
    };
    std::vector<Named> all{
        {"the mask is flipped left to right",
         with([](int i, int j, int s) { return i * s + s - 1 - j; }), not_flipped},
        {"the mask is flipped upside down",
         with([](int i, int j, int s) { return (s - 1 - i) * s + j; }), not_flipped},
        {"the mask is turned by 180 degrees (convolution instead of correlation)",
         with([](int i, int j, int s) { return (s - 1 - i) * s + s - 1 - j; }), not_flipped},
        {"the mask is transposed: its row and its column are exchanged",
         with([](int i, int j, int s) { return j * s + i; })},
        {"the column of the mask is one too large (j + k + 1)",
         with([](int i, int j, int s) { return i * s + j + 1; })},
        {"the column of the mask is one too small (j + k - 1)",
         with([](int i, int j, int s) { return i * s + j - 1; })},
        {"the row of the mask is one too large (i + k + 1)",
         with([](int i, int j, int s) { return (i + 1) * s + j; })},
        {"the row of the mask is one too small (i + k - 1)",
         with([](int i, int j, int s) { return (i - 1) * s + j; })},
        {"all weights are that of the middle of the mask",
         with([](int, int, int s) { return s * s / 2; })},
        {"every row of the mask has the weights of its first row",
         with([](int, int j, int) { return j; })},
        {"the rows of the mask are taken to be 3 weights long, not mask.size",
         with([](int i, int j, int) { return i * 3 + j; })}};
    return all;
}

std::vector<Named> window_mistakes(int k) {
    std::vector<Named> all{
        {"the last row of the mask is left out (i < k for i <= k)", {.bottom = 1}},
        {"the last column of the mask is left out (j < k for j <= k)", {.right = 1}},
        {"the last row and the last column of the mask are left out (i < k and j < k for <=)",
         {.bottom = 1, .right = 1}},
        {"the last row of the mask is left out (i < k for i <= k)",
         {.bottom = 1, .lost_bottom = 1}},
        {"the last column of the mask is left out (j < k for j <= k)",
         {.right = 1, .lost_right = 1}},
        {"the last row and the last column of the mask are left out (i < k and j < k for <=)",
         {.bottom = 1, .right = 1, .lost_right = 1, .lost_bottom = 1}},
        {"the radius is 1 whatever the size of the mask (3x3 is hard-coded)", {.radius = 1}},
        {"the first row of the mask is left out", {.top = 1}},
        {"the first column of the mask is left out", {.left = 1}},
        {"the first row and the first column of the mask are left out", {.top = 1, .left = 1}},
        {"the outermost weights of the mask are left out: the radius is k - 1",
         {.top = 1, .bottom = 1, .left = 1, .right = 1}},
        {"only the middle row of the mask is used", {.top = k, .bottom = k}},
        {"only the middle column of the mask is used", {.left = k, .right = k}}};
    for (const auto& [number, shift] : {std::pair{"1", 1}, {"1", -1}, {"k", k}, {"k", -k}}) {
        const std::string lies = std::string("the window is shifted: it lies ") + number;
        const std::string in_x = shift < 0 ? " to the left" : " to the right";
        const std::string in_y = shift < 0 ? " higher" : " lower";
        all.push_back({lies + in_x, {.shift_x = shift}});
        all.push_back({lies + in_y, {.shift_y = shift}});
        all.push_back({lies + in_x + " and" + in_y, {.shift_x = shift, .shift_y = shift}});
    }
    all.push_back({"the radius is one too small", {.radius = k - 1}});
    return all;
}

std::vector<Named> border_mistakes() {
    const auto both = [](Rules::Outside outside) {
        return Rules{.in_x = outside, .in_y = outside};
    };
    return {
        {"the border is replicated: taps outside the image are clamped to it",
         both(Rules::replicated)},
        {"the border is replicated in x, and left out in y", {.in_x = Rules::replicated}},
        {"the border is replicated in y, and left out in x", {.in_y = Rules::replicated}},
        {"the border is reflected, with the edge twice", both(Rules::reflected)},
        {"the border is reflected, with the edge once", both(Rules::reflected_101)},
        {"the border wraps around to the other side of the image", both(Rules::wraps)},
        {"taps outside the image are read, not left out", both(Rules::read)},
        {"taps left and right of the image are read, not left out", {.in_x = Rules::read}},
        {"taps above and below the image are read, not left out", {.in_y = Rules::read}},
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
        {"taps left of the image are read, not left out", {.lost_left = -1000}},
        {"taps right of the image are read, not left out", {.lost_right = -1000}},
        {"taps above the image are read, not left out", {.lost_top = -1000}},
        {"taps below the image are read, not left out", {.lost_bottom = -1000}},
        {"pixels whose window leaves the image are 0", {.edge = Rules::zero}},
        {"pixels whose window leaves the image are copied from the input",
         {.edge = Rules::copied}}};
}

std::vector<Named> value_mistakes() {
    const auto from_channel = [](auto channel) {
        Rules rules;
        rules.channel = channel;
        return rules;
    };
    return {
        {"the sum is rounded to nearest instead of truncated", {.to_pixel = rounded}, truncation},
        {"the sum is not clamped to 0..255 and wraps around", {.to_pixel = wrapped}},
        {"the sum is not clamped to 0 from below: negative sums wrap around",
         {.to_pixel = [](double sum) { return sum < 0 ? wrapped(sum) : truncated(sum); }}},
        {"the sum is not clamped to 255 from above: large sums wrap around",
         {.to_pixel = [](double sum) { return sum > 255 ? wrapped(sum) : truncated(sum); }}},
        {"the sum's magnitude is taken instead of a clamp to 0",
         {.to_pixel = [](double sum) { return truncated(std::fabs(sum)); }}},
        {"the sum is an integer: each product is truncated before it is added",
         {.truncates_products = true},
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
        {"the channels are swapped (RGB for BGR)",
         from_channel([](int c, int channels) { return channels - 1 - c; })}};
}

}  // namespace

std::vector<harness::KnownMistake> of_halos(const cv::Mat& image, const Mask& mask, int ranks) {
    const int k = mask.radius();
    const std::vector<int> first = harness::first_rows_of_ranks(image.rows, k, ranks);
    /// Rows that need a halo from above (bit 0) or from below (bit 1).
    std::vector<int> needs(static_cast<std::size_t>(image.rows));
    for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
        const int begin = first[rank];
        const int end = first[rank + 1];
        for (int y = begin; y < end; ++y) {
            if (y < begin + k && rank > 0) needs[static_cast<std::size_t>(y)] |= 1;
            if (y >= end - k && rank + 2 < first.size()) needs[static_cast<std::size_t>(y)] |= 2;
        }
    }
    /// The halos that wrong rows need: those of `needs`; 0 if all rows are right, 4 if others are
    /// wrong, too.
    const auto wrong = [needs, expected = output_of(image, mask, Rules{})](const cv::Mat& out) {
        int all = 0;
        for (int y = 0; y < out.rows; ++y) {
            if (cv::norm(out.row(y), expected.row(y), cv::NORM_INF) == 0) continue;
            const int need = needs[static_cast<std::size_t>(y)];
            all |= need == 0 ? 4 : need == 3 ? 0 : need;
        }
        return all;
    };
    const auto named = [&](const std::string& name, int halos) {
        return harness::KnownMistake{name,
                                     [wrong, halos](const cv::Mat& out) {
                                         const int found = wrong(out);
                                         return found == 0 || found == halos;
                                     },
                                     "docs/mpi.md, \"What a variant sees\""};
    };
    return {
        named("the first rows of a rank are wrong: its halo from above is missing, or is not the "
              "last rows of the rank above",
              1),
        named("the last rows of a rank are wrong: its halo from below is missing, or is not the "
              "first rows of the rank below",
              2),
        named("the first and the last rows of a rank are wrong: halos are missing, or are not "
              "those of the neighbours",
              3)};
}

std::vector<harness::KnownMistake> of(const cv::Mat& image, const Mask& mask,
                                      std::optional<common::Block> block) {
    std::vector<harness::KnownMistake> all;
    const auto add = [&](const std::vector<Named>& named, const std::string& passage = "") {
        for (const Named& mistake : named) {
            all.push_back({mistake.name, harness::is([image, mask, rules = mistake.rules] {
                               return output_of(image, mask, rules);
                           }),
                           passage.empty() ? mistake.passage : passage});
        }
    };
    add(weight_mistakes());
    add(window_mistakes(mask.radius()));
    add(border_mistakes(), border);
    add(value_mistakes());
    if (block) {
        add({{"taps in the tiles of other blocks count as 0: the halo is not loaded",
              {.block = block}}});
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
