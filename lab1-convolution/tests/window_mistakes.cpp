// Mistakes in the weights of the mask, in the window, and in clamps of rounded sums.

#include <cmath>
#include <utility>

#include "named.hpp"

namespace mistakes {
namespace {

double down(double sum) {
    return std::floor(sum);
}

double nearest(double sum) {
    return std::floor(sum + 0.5);
}

/// A conversion that adds 0.5 and truncates: of -3.7 it makes -3.
double nearest_above_zero(double sum) {
    return std::trunc(sum + 0.5);
}

/// What is not clamped wraps around.
template <double (*Rounded)(double), bool From_below, bool From_above>
uchar converted(double sum) {
    const double value = Rounded(sum);
    const bool is_clamped = value < 0 ? From_below : From_above;
    return is_clamped ? truncated(value) : wrapped(value);
}

/// Names that mistakes.cpp has too are equal to those there: for one mistake there is one name.
template <double (*Rounded)(double)>
void add_open_sides(std::vector<Named>& all, const std::string& how, const std::string& open) {
    all.push_back(
        {how + "not clamped to 0..255" + open, {.to_pixel = converted<Rounded, false, false>}});
    all.push_back({how + "not clamped to 0 from below: negative sums wrap around",
                   {.to_pixel = converted<Rounded, false, true>}});
    all.push_back({how + "not clamped to 255 from above: large sums wrap around",
                   {.to_pixel = converted<Rounded, true, false>}});
}

}  // namespace

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
         with([](int i, int j, int) { return i * 3 + j; })},
        {"the rows of the mask are taken to be Mask::max_size weights long, not mask.size",
         with([](int i, int j, int) { return i * Mask::max_size + j; })},
        {"the rows of the mask are taken to be 2k weights long, not 2k + 1",
         with([](int i, int j, int s) { return i * (s - 1) + j; })},
        {"the rows of the mask are taken to be one weight too long",
         with([](int i, int j, int s) { return i * (s + 1) + j; })},
        {"the rows of the mask are taken to be k weights long, not 2k + 1",
         with([](int i, int j, int s) { return i * (s / 2) + j; })},
        {"every column of the mask has the weights of its first column",
         with([](int i, int, int s) { return i * s; })},
        {"only the first quarter of the weights is there, the others are 0: a number of weights in "
         "place of a number of bytes (sizeof)",
         with([](int i, int j, int s) { return i * s + j < s * s / 4 ? i * s + j : -1; })},
        {"the mask is integer: each weight is truncated (0.5 becomes 0)",
         {.converted_weight = [](double weight) { return std::trunc(weight); }}},
        {"the mask is integer: each weight is rounded",
         {.converted_weight = [](double weight) { return std::round(weight); }}},
        {"the weights' signs are lost",
         {.converted_weight = [](double weight) { return std::fabs(weight); }}},
        {"the mask is normalised twice: the sum is divided by the sum of all weights",
         {.divided = Rules::by_all_weights}},
        {"the sum is divided by the sum of the weights inside the image (in the interior, too)",
         {.divided = Rules::by_used_weights}},
        {"the sum is divided by the sum of the weights inside the image (in the interior, too)",
         {.divided = Rules::by_used_unless_zero}},
        {"the sum is divided by the number of weights, n * n", {.divided = Rules::by_taps}},
        {"the sum is divided by the size of the mask, n", {.divided = Rules::by_size}}};
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
    for (const auto& [number, only] : {std::pair{"-k", -k}, {"0", 0}, {"k", k}}) {
        const std::string all_taps = "all taps of the window are read from ";
        all.push_back(
            {all_taps + "row y + i with i = " + number +
                 ": each row of weights needs its own row of pixels (in a sliding window, "
                 "the order in which the sums move up)",
             {.only_row = only}});
        all.push_back({all_taps + "column x + j with j = " + number, {.only_column = only}});
    }
    all.push_back({"the weights are taken in turn: taps outside the image do not skip theirs",
                   {.turn = Rules::of_mask}});
    all.push_back(
        {"the weights of a row are taken in turn: taps outside the image do not skip "
         "theirs",
         {.turn = Rules::of_row}});
    all.push_back({"the radius is one too small", {.radius = k - 1}});
    for (const auto& [name, radius] :
         {std::pair{"one too large", k + 1}, {"the size of the mask, 2k + 1, not k", 2 * k + 1}}) {
        const bool has_weights = 2 * radius * (2 * k + 2) < Mask::max_size * Mask::max_size;
        if (has_weights) all.push_back({std::string("the radius is ") + name, {.radius = radius}});
    }
    add_open_sides<down>(all, "the sum is ",
                         " and wraps around: no clamp, or one after the conversion to a byte");
    const std::string rounds = "the sum is rounded to nearest, and ";
    add_open_sides<nearest>(all, rounds, "");
    add_open_sides<nearest_above_zero>(all, rounds, "");
    return all;
}

}  // namespace mistakes
