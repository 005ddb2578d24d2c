#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/variant.hpp"
#include "problem/options.hpp"

namespace integral {

/// The growth of the work with the number of pixels. Quadratic variants are kept away from large
/// images.
enum class Cost { linear, quadratic };

template <class In, class Sum>
using Typed = common::Variant<In, Sum, Options>;

/// A variant writes the inclusive sums of `in` to `sums`, of the same size: one function for 32-bit
/// sums and one for 64-bit sums. A library call may instead take 8-bit pixels and give exclusive
/// 32-bit sums; the harness converts outside the timing.
struct Variant : common::VariantInfo {
    explicit Variant(common::VariantInfo info) : VariantInfo(std::move(info)) {}
    template <class Function32, class Function64>
    Variant(const common::VariantInfo& info, Cost growth, Function32* narrow, Function64* wide)
        : VariantInfo(info), cost(growth), sums32(info, narrow), sums64(info, wide) {
        on_device = sums32.on_device;
    }
    template <class Function>
    Variant(const common::VariantInfo& info, Cost growth, Function* function)
        : VariantInfo(info), cost(growth), library(info, function) {
        on_device = library.on_device;
    }

    Cost cost{};
    Typed<Pixel, Sum32> sums32{VariantInfo{}};
    Typed<Pixel, Sum64> sums64{VariantInfo{}};
    Typed<std::uint8_t, Sum32> library{VariantInfo{}};
};

using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

}  // namespace integral
