#pragma once

#include <functional>
#include <string>

#include "harness/testing.hpp"
#include "harness/testing_random.hpp"
#include "problem/variant.hpp"

using MakeJob = std::function<harness::Job(const convolution::Options& options)>;

/// A variant, its options and an image for harness::check_call, compared with the oracle.
harness::VariantCall variant_call_for(const common::VariantInfo& info, const MakeJob& make_job,
                                      const convolution::Options& options, const cv::Mat& image,
                                      const std::string& parameters);
harness::VariantCall variant_call_for(const convolution::Variant& variant,
                                      const convolution::Options& options, const cv::Mat& image,
                                      const std::string& parameters);

/// The random cases of a variant: image, mask, threads or block.
harness::RandomCases random_cases(const convolution::Variant& variant);
