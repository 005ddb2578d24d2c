#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "common/variant.hpp"
#include "options.hpp"

namespace upscale {

/// A row of the table.
struct Variant : common::VariantInfo {
    std::function<common::Job(const Options&)> bind;  ///< empty if it is not in this build
    bool built() const { return bind != nullptr; }
};

/// All variants in the order of variants.def, those that are not in this build included.
const std::vector<Variant>& variants();

const Variant& variant_called(std::string_view name);

}  // namespace upscale
