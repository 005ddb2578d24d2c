#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "problem/filter.hpp"
#include "problem/variant.hpp"

namespace upscale {

/// The lab, for the harness.
harness::Lab make_lab();

/// The variant with its options bound.
harness::Job job_for(const Variant& variant, const Options& options);

/// An input and a filter, whose method has been chosen, with a trial for each variant.
harness::Problem problem(const harness::ImageSource& input, const Filter& filter,
                         const std::vector<common::VariantInfo>& chosen,
                         const common::RunOptions& options);

/// The command line's options for `bench`.
struct BenchArguments {
    std::vector<std::string> pictures;  ///< for `quality`; none: scenes
};

/// The experiments read `arguments` when they begin.
std::vector<harness::Experiment> experiments(std::shared_ptr<const BenchArguments> arguments);

}  // namespace upscale
