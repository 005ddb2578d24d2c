#pragma once

#include "harness/testing_random.hpp"
#include "problem/variant.hpp"

/// The random cases of a variant: image, threads of both levels or block and grid.
common::RandomCases random_cases(const integral::Variant& variant);

/// The parameters of the input, and what a case makes of them.
std::vector<common::Parameter> input_parameters(std::int64_t most_pixels);
cv::Mat image_of(const common::Case& chosen);
