#pragma once

#include <cstdint>
#include <vector>

#include "common/variant.hpp"

namespace @{space}@ {

/// The input of a variant besides the image. The lab's own parameters come here.
struct Options : common::RunOptions {};

/// A variant inverts `in` into `out`, which has the same size and channels.
using Variant = common::Variant<std::uint8_t, std::uint8_t, Options>;
using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

}  // namespace @{space}@
