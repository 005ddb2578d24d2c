#pragma once

#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "problem/input.hpp"
#include "problem/options.hpp"

namespace equalize {

harness::Lab make_lab();

/// One measurement of an experiment.
struct Setup {
    common::VariantInfo variant;
    Options options{};
    harness::Transfers transfers{};
    std::string label{};  ///< CSV column `case`
};

/// One problem: the input, and a trial for each setup.
harness::Problem problem(const harness::ImageSource& input, const std::vector<Setup>& setups,
                         Colour colour = Colour::gray);

std::vector<harness::Experiment> experiments();

}  // namespace equalize
