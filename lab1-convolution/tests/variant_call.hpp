#pragma once

#include <string>

#include "harness/testing.hpp"
#include "harness/testing_random.hpp"
#include "problem/variant.hpp"

/// A variant, an image and a mask for harness::check_call, compared with the oracle.
harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const convolution::Mask& mask,
                                      const std::string& parameters);

/// The random cases of a variant: image, mask, threads or block.
harness::RandomCases random_cases(const convolution::Variant& variant);
