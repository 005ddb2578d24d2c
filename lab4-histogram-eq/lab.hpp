#pragma once

#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "problem/input.hpp"
#include "problem/options.hpp"

namespace equalize {

common::Lab make_lab();

/// One measurement of an experiment.
struct Setup {
    common::VariantInfo variant;
    Options options{};
    common::Transfers transfers{};
    std::string label{};  ///< CSV column `case`
};

/// One problem: the input, and a trial for each setup.
common::Problem problem(const common::ImageSource& input, const std::vector<Setup>& setups,
                        Colour colour = Colour::gray);

std::vector<common::Experiment> experiments();

}  // namespace equalize
