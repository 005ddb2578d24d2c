#pragma once

#include <optional>
#include <string_view>

namespace upscale {

/// Float operations that a variant spends on a value of the output (a multiply-add counts as two),
/// counted in its source; conversions, comparisons and addresses are none. Empty for variants that
/// nobody has counted. `radius` is that of the weights.
std::optional<double> operations_per_value(std::string_view variant, int radius, int channels);

}  // namespace upscale
