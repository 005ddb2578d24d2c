#pragma once

#include <vector>

#include "common/lab.hpp"
#include "options.hpp"

namespace upscale {

/// The lab as the harness sees it.
common::Lab make_lab();

/// What is asked of the variants: a method with its parameters.
struct Filter {
    Method method = Method::gauss;
    int radius = 2;      ///< of the Gaussian
    double sigma = 0.6;  ///< of the Gaussian, in source pixels

    Weights weights() const;
};

/// One problem: the input and the filter, and a trial for each variant.
common::Problem problem(const common::ImageSource& input, const Filter& filter,
                        const std::vector<common::VariantInfo>& chosen,
                        const common::RunOptions& options);

std::vector<common::Experiment> experiments();

}  // namespace upscale
