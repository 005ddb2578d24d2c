#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/variant.hpp"
#include "problem/options.hpp"

namespace upscale {

/// The facts about a variant in addition to its VariantInfo. A variant's file gives them when it
/// registers.
struct Traits {
    /// Float operations per output value, counted in the source: a multiply-add counts as two;
    /// conversions, comparisons and addresses do not count. Null if nobody has counted them.
    double (*operations)(int radius, int channels) = nullptr;

    /// Colour pixels have four bytes, and the last has no meaning. The harness packs and unpacks
    /// them outside the timing.
    bool four_byte_pixels = false;

    bool slow = false;                    ///< experiments give it small images only
    bool in_ladder = true;                ///< takes part in all experiments but constant_memory
    bool compares_weight_memory = false;  ///< takes part in constant_memory
    bool learned = false;                 ///< has the method `learned` and no other
};

/// A variant resamples `in` by options.weights into `out`, of twice the width and height.
struct Variant : common::Variant<std::uint8_t, std::uint8_t, Options>, Traits {
    using Base = common::Variant<std::uint8_t, std::uint8_t, Options>;

    explicit Variant(common::VariantInfo info) : Base(std::move(info)) {}
    template <class Function>
    Variant(common::VariantInfo info, Function* function, const Traits& traits = {})
        : Base(std::move(info), function), Traits(traits) {}
    template <class Function>
    Variant(common::VariantInfo info, Function* function, Base::Halo* halo,
            const Traits& traits = {})
        : Base(std::move(info), function, halo), Traits(traits) {}
};
using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

/// The rows that a rank needs of the rank above, and of the one below.
inline int halo_rows(const Options& options) {
    return options.weights.radius;
}

/// Traits::operations of a direct sum over a square of taps: one multiply-add per tap, one per row
/// of taps, and the addition that rounds.
constexpr double direct_sum_operations(int radius, int /*channels*/) {
    const double taps = 2.0 * radius + 1;
    return 2 * taps * (taps + 1) + 1;
}

/// Traits::operations of a direct sum in which the sum of a row of taps serves both phases in y.
constexpr double shared_rows_operations(int radius, int /*channels*/) {
    const double taps = 2.0 * radius + 1;
    return 2 * taps * (taps / 2 + 1) + 1;
}

/// Traits::operations of two passes, of which one computes half as many values.
constexpr double separable_operations(int radius, int /*channels*/) {
    const double taps = 2.0 * radius + 1;
    return 2 * taps * 1.5 + 1;
}

}  // namespace upscale
