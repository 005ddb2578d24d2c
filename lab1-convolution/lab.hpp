#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "problem/mask.hpp"

namespace convolution {

/// The lab as the harness sees it.
harness::Lab make_lab();

/// A mask with the name that it has in `parameters` and in the CSV column `filter`.
struct NamedMask {
    std::string name;
    Mask mask;
};

/// One problem: the input and the mask, and a trial for each variant and, for the CUDA variants
/// that take any, each of `blocks`. No blocks: each variant's own choice.
harness::Problem problem(const harness::ImageSource& input, const NamedMask& mask,
                         const std::vector<common::VariantInfo>& chosen,
                         const common::RunOptions& options,
                         const std::vector<common::Block>& blocks);

/// All of the lab's; `filter`, where it is set, replaces all filters of `resolutions`.
std::vector<harness::Experiment> experiments(std::function<std::optional<NamedMask>()> filter);

}  // namespace convolution
