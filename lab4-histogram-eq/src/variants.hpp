#pragma once

#include <cstdint>
#include <vector>

#include "common/variant.hpp"
#include "options.hpp"

namespace equalize {

/// A row of the table.
using Variant = common::Variant<std::uint8_t, std::uint8_t, Options>;

/// All variants in the order of variants.def, those that are not in this build included.
const std::vector<Variant>& variants();

const Variant& variant_called(std::string_view name);

}  // namespace equalize
