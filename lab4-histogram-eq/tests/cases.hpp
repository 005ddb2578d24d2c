#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "harness/testing.hpp"
#include "harness/testing_random.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

// The images of the tests, and calls of a variant on them.

/// A call of a variant, checked by the oracle.
harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const std::string& parameters,
                                      std::optional<common::Block> block = std::nullopt);

/// Independent pixels, all levels equally likely.
cv::Mat noise(int width, int height);

/// The same with fewer levels: `first`, `first + step`, and so on.
cv::Mat noise_of(int width, int height, int first, int step);

/// An image with the given histogram, shuffled, `width` wide.
cv::Mat with_counts(const equalize::oracle::Counts& counts, int width);

/// An image, 15 wide, in which every value but the last is half-way between two integers: with k
/// pixels of level 1, 2k of each brighter level and k more of the last, (cdf - cdf_min) * 255 / (N
/// - cdf_min) is level - 1/2.
cv::Mat ties(int k);

/// The random cases of a variant: image, threads or block.
harness::RandomCases random_cases(const equalize::Variant& variant);
