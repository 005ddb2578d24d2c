#pragma once

#include <string>
#include <vector>

#include "common/lab.hpp"
#include "options.hpp"

namespace integral {

/// The lab as the harness sees it.
common::Lab make_lab();

/// A variant with options, as an experiment wants it; `label` is its CSV column `case`.
struct Setup {
    common::VariantInfo variant;
    Options options;
    std::string label{};
};

/// The input, and a trial for each setup.
common::Problem problem(const common::ImageSource& input, const std::vector<Setup>& setups);

std::vector<common::Experiment> experiments();

}  // namespace integral
