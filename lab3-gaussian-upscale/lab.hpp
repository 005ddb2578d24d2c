#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "problem/filter.hpp"
#include "problem/variant.hpp"

namespace upscale {

/// The lab as the harness sees it.
common::Lab make_lab();

/// The variant with its options.
common::Job job_for(const Variant& variant, const Options& options);

/// One problem: the input and the filter, and a trial for each variant. The method has been chosen.
common::Problem problem(const common::ImageSource& input, const Filter& filter,
                        const std::vector<common::VariantInfo>& chosen,
                        const common::RunOptions& options);

/// The command line's options for `bench`.
struct BenchArguments {
    std::vector<std::string> pictures;  ///< files for `quality`; none: scenes
};

/// What the experiments see in `arguments` when they begin.
std::vector<common::Experiment> experiments(std::shared_ptr<const BenchArguments> arguments);

}  // namespace upscale
