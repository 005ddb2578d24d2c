#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "common/options.hpp"
#include "harness/testing.hpp"
#include "harness/verify.hpp"

// The definition of the lab once more, for the tests: written from the handout's formula, in double
// precision, with two-dimensional weights and a sum of weights to divide by. It shares no code with
// src/.
namespace gold {

/// The weight of a tap at distance d from the sample.
enum class Kernel {
    gauss,     ///< exp(-d^2 / (2 sigma^2)), up to the radius
    bicubic,   ///< cubic convolution with a = -0.75
    lagrange,  ///< the polynomial through four nodes
    bilinear,  ///< a triangle
    lanczos,   ///< sinc(d) sinc(d / 4)
};

/// What is asked for. The radius of the interpolations says how far they reach.
struct Filter {
    int radius = 2;
    double sigma = 0.6;
    Kernel kernel = Kernel::gauss;
};

inline constexpr Filter bicubic{.radius = 2, .sigma = 0, .kernel = Kernel::bicubic};
inline constexpr Filter lagrange{.radius = 2, .sigma = 0, .kernel = Kernel::lagrange};
inline constexpr Filter bilinear{.radius = 1, .sigma = 0, .kernel = Kernel::bilinear};
inline constexpr Filter lanczos{.radius = 4, .sigma = 0, .kernel = Kernel::lanczos};

/// The definition, and where mistakes depart from it.
struct Rules {
    double even_offset = 0.25;  ///< distance of tap 0 from the sample, for even columns and rows
    double odd_offset = -0.25;
    enum { clamped, skipped, skipped_not_normalised } border = clamped;
};

/// The weighted means in double precision: CV_64F, twice as wide and high.
cv::Mat means(const cv::Mat& image, const Filter& filter, const Rules& rules = {});

/// The least and the greatest output within 0.5 + 1e-3 of the means.
struct Bounds {
    cv::Mat low;
    cv::Mat high;
};
Bounds bounds(const cv::Mat& image, const Filter& filter);

/// Accepts what is within the bounds.
common::Check check(const cv::Mat& image, const Filter& filter);

/// The mistakes that people make in this lab; `block` is that of a kernel.
std::vector<common::Suspicion> suspicions(const cv::Mat& image, const Filter& filter,
                                          std::optional<common::Block> block);

}  // namespace gold
