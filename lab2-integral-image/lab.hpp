#pragma once

#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "problem/variant.hpp"

namespace integral {

/// The lab as the harness sees it.
harness::Lab make_lab();

/// The variant with its options, for sums of 32 or 64 bits by the type of the output.
harness::Job job_for(const Variant& variant, const Options& options);

/// A variant with the options of an experiment; `label` is its CSV column `case`.
struct Setup {
    common::VariantInfo variant;
    Options options;
    std::string label{};
};

/// The input, and a trial for each setup.
harness::Problem problem(const harness::ImageSource& input, const std::vector<Setup>& setups);

std::vector<harness::Experiment> experiments();

}  // namespace integral
