#pragma once

#include "harness/testing_random.hpp"
#include "problem/mask.hpp"
#include "problem/variant.hpp"

/// The random cases of a variant: image, mask, threads or block.
common::RandomCases random_cases(const convolution::Variant& variant);

/// The parameters of image and mask, and what a case makes of them.
std::vector<common::Parameter> input_parameters(std::int64_t most_pixels);
cv::Mat image_of(const common::Case& chosen);
convolution::Mask mask_of(const common::Case& chosen);
