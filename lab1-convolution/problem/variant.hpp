#pragma once

#include <cstdint>
#include <vector>

#include "common/variant.hpp"
#include "problem/options.hpp"

namespace convolution {

/// A variant convolves `in` with options.mask into `out`, which has the same size and channels.
using Variant = common::Variant<std::uint8_t, std::uint8_t, Options>;
using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

}  // namespace convolution
