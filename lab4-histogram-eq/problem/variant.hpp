#pragma once

#include <cstdint>
#include <vector>

#include "common/variant.hpp"
#include "problem/options.hpp"

namespace equalize {

/// A variant equalizes the gray image `in` into `out`, which has the same size.
using Variant = common::Variant<std::uint8_t, std::uint8_t, Options>;
using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

}  // namespace equalize
