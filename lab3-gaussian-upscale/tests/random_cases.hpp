#pragma once

#include "gold.hpp"
#include "harness/testing_random.hpp"
#include "problem/variant.hpp"

/// The random cases of a variant: image, filter, threads or block.
common::RandomCases random_cases(const upscale::Variant& variant);

/// The parameters of image and filter, and what a case makes of them.
std::vector<common::Parameter> input_parameters(std::int64_t most_pixels);
cv::Mat image_of(const common::Case& chosen);
gold::Filter filter_of(const common::Case& chosen);
