#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "common/options.hpp"
#include "harness/testing.hpp"
#include "harness/verify.hpp"

// The definition of the lab once more, for the tests: written from the handout's formula, in exact
// integers. The rounding of float numbers is done here by hand, on integers too. It shares no code
// with src/.
namespace gold {

using Counts = std::array<std::int64_t, 256>;
using Table = std::array<int, 256>;

Counts histogram(const cv::Mat& image);

/// Where mistakes depart from the definition, which the defaults are.
struct Rules {
    bool inclusive = true;  ///< the CDF counts the level itself
    enum {
        darkest,
        first,
        zero
    } cdf_min = darkest;        ///< of the darkest level that occurs, of level 0, or 0
    bool minus_cdf_min = true;  ///< the divisor is N - cdf_min, and not N
    enum { to_even, up, down } rounding = to_even;
    int bits_of_product = 64;  ///< of (cdf - cdf_min) * 255; 32: wraps around, signed
};

/// (cdf - cdf_min) * 255 / (N - cdf_min), rounded as the rules say, and nothing lost before that.
/// Levels that are darker than all pixels get 0; the table of a constant image changes nothing.
Table formula(const Counts& counts, const Rules& rules = {});

/// The same as cv::equalizeHist works it out, in float: cdf - cdf_min times 255 / (N - cdf_min),
/// each of the two, their product and the count itself rounded to 24 binary digits.
Table table(const Counts& counts);

/// The image, looked up in the table.
cv::Mat looked_up(const cv::Mat& image, const Table& table);

/// The equalized image; of a colour picture, the one whose luma is equalized.
cv::Mat equalization(const cv::Mat& image);

/// Accepts the equalized image and nothing else; of a colour picture, the one whose luma is
/// equalized.
common::Check check(const cv::Mat& image);

/// The mistakes that people make in this lab; `block` is that of a kernel.
std::vector<common::Suspicion> suspicions(const cv::Mat& image, std::optional<common::Block> block);

}  // namespace gold
