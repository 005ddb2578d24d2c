#pragma once

#include <functional>
#include <vector>

#include "common/variant.hpp"
#include "options.hpp"

namespace integral {

/// How the work grows with the number of pixels.
enum class Cost { linear, quadratic };

/// A row of the table.
struct Variant : common::VariantInfo {
    Cost cost{};

    /// Chooses between the two functions of the variant by the type of the output. Empty if the
    /// variant is not in this build.
    std::function<common::Job(const Options&)> bind;

    bool built() const { return bind != nullptr; }
};

/// All variants in the order of variants.def, those that are not in this build included.
const std::vector<Variant>& variants();

const Variant& variant_called(std::string_view name);

/// Additions that a variant needs for an image, and a little for each pixel besides.
double work(const Variant& variant, int width, int height);

}  // namespace integral
