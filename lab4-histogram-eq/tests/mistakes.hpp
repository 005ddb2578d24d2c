#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "common/options.hpp"
#include "harness/testing.hpp"
#include "problem/oracle.hpp"

// The results of common mistakes, so that a failed test can name the mistake.
namespace mistakes {

/// The parameters of a mistake. The defaults are those of the definition.
struct Rules {
    bool inclusive = true;  ///< the CDF counts the level itself
    enum {
        darkest,
        first,
        zero
    } cdf_min = darkest;        ///< of the darkest level that occurs, of level 0, or 0
    bool minus_cdf_min = true;  ///< the divisor is N - cdf_min, and not N
    enum { to_even, up, down } rounding = to_even;
    int bits_of_product = 64;  ///< of (cdf - cdf_min) * 255; 32: overflows, signed
};

/// (cdf - cdf_min) * 255 / (N - cdf_min) in exact integers, rounded once, as the rules say.
equalize::oracle::Table exact_table(const equalize::oracle::Counts& counts,
                                    const Rules& rules = {});

/// The mistakes that explain a wrong output; `block` is that of a kernel.
std::vector<harness::KnownMistake> of(const cv::Mat& image, std::optional<common::Block> block);

}  // namespace mistakes
